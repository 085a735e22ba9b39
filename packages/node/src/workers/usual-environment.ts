import type { Environment } from '@stickler/core'

/** What programs need to find their files, their language and the network. */
const basics: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  // Needed to reach anything through a proxy, or with a private certificate authority.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'HOMEDRIVE', 'HOMEPATH'],
])

/** What of an environment a program gets. */
export interface ProgramVariables {
  /** Variables that begin with one of these. */
  readonly prefixes?: readonly string[]
  /** Further variables by name. */
  readonly pass?: readonly string[]
  /** Variables that it does not get unless `pass` names them. */
  readonly withhold?: readonly string[]
}

/** The part of an environment that a program gets: what programs usually need, the parts of a locale, and what is named. */
export function usualEnvironment(
  env: Environment,
  { prefixes = [], pass = [], withhold = [] }: ProgramVariables = {},
): Record<string, string> {
  const named = new Set(pass)
  const withheld = new Set(withhold)
  const isUsual = (name: string): boolean => {
    // Names differ in case from platform to platform: http_proxy, Path.
    const upper = name.toUpperCase()
    return basics.has(upper) || upper.startsWith('LC_') || prefixes.some((prefix) => upper.startsWith(prefix))
  }
  const isPassed = (name: string): boolean => named.has(name) || (isUsual(name) && !withheld.has(name))
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]))
  return Object.fromEntries(entries)
}

/** The values of an environment that its names call secret; a language or a home folder is masked nowhere. */
export function secretsIn(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i.test(name) ? [value] : [],
  )
}
