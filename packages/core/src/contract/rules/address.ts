const form = /^(https?):\/\/([^/?#]*)((?:\/[^?#]*)?)(\?[^#]*)?$/i

/** What is wrong with a configured address, without repeating it, because it may contain a secret; undefined when it is valid. */
export function addressProblem(text: string, instead: string): string | undefined {
  const [, scheme = '', authority = ''] = form.exec(text) ?? []
  if (scheme === '' || !URL.canParse(text) || hasOddCharacter(text)) return 'must be an http or https address'
  if (authority.includes('@')) return `must not contain a user or password; use ${instead}`
  return authorityProblem(authority)
}

/** White space, control characters and backslashes, which readers of addresses understand differently. */
function hasOddCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code === 0x7f || code === 0x5c) return true
  }
  return false
}

function authorityProblem(authority: string): string | undefined {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority) ?? []
  if (host === '') return 'must name a host'
  if (port !== undefined && (!/^[0-9]{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    return 'must have a port from 1 to 65535'
  return host.startsWith('[') ? ipv6Problem(host) : hostProblem(host)
}

function ipv6Problem(bracketed: string): string | undefined {
  if (!URL.canParse(`http://${bracketed}`) || bracketed.includes('%')) return 'must have a valid IPv6 address in its brackets'
  return /[.]|^(?:0*:)*:?ffff:/i.test(bracketed.slice(1, -1)) ? 'must not embed an IPv4 address in an IPv6 one' : undefined
}

function hostProblem(host: string): string | undefined {
  if (host.endsWith('.')) return 'must not have a dot at the end of its host'
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(host)) return 'must have a host of plain letters, digits, hyphens and dots'
  // What looks like a number is read as an IPv4 address in one of many forms; only the plain one is clear.
  const last = host.slice(host.lastIndexOf('.') + 1)
  return /^(?:[0-9]+|0x[0-9a-f]*)$/i.test(last) && !isIPv4(host) ? 'must write an IPv4 address as four plain numbers' : undefined
}

function isIPv4(host: string): boolean {
  const parts = host.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)
}
