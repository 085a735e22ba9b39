/** JSON that is safe in any line-based format: no line break of any kind is left in it. */
export function lineJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\u2028') && !json.includes('\u2029')) return json
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** A frame without a name. */
export function dataFrame(json: string): string {
  return `data: ${json}\n\n`
}

/** A frame with a name, which is one of our own and never untrusted text. */
export function eventFrame(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`
}

/** A comment, which every reader skips. */
export const heartbeatFrame = ': heartbeat\n\n'
