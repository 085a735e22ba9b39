/** A marker `[^…]` with its number, or with what is wrong with it. */
export interface SlowMarker {
  readonly start: number
  readonly end: number
  readonly number?: number
  readonly detail?: string
}

/** The slow, obvious reading of RedDB's rules: every place by itself, fences left out, escapes counted backwards. */
export function slowMarkers(text: string): SlowMarker[] {
  const found: SlowMarker[] = []
  let inFence = false
  for (let at = 0; at < text.length; ) {
    const isHead = at === 0 || text[at - 1] === '\n'
    const fence = isHead ? /^[ \t]*```[^\n]*\n?/.exec(text.slice(at))?.[0] : undefined
    if (fence !== undefined) inFence = !inFence
    const backslashes = /\\*$/.exec(text.slice(0, at))?.[0].length ?? 0
    const marker = fence === undefined && !inFence && backslashes % 2 === 0 ? markerAt(text, at) : undefined
    if (marker) found.push(marker)
    at = marker?.end ?? at + (fence?.length ?? 1)
  }
  return found
}

function markerAt(text: string, start: number): SlowMarker | undefined {
  const [whole = '', body = ''] = /^\[\^([^\]]*)\]/.exec(text.slice(start)) ?? []
  if (whole === '') return undefined
  const end = start + whole.length
  if (/^\d*$/.test(body)) return { start, end, ...numbered(body) }
  // A line break is overlooked right behind the opening, and nowhere else.
  if (Buffer.byteLength(body) > 16 || body.indexOf('\n', 1) > 0) return undefined
  return { start, end, detail: `expected digits inside [^…], got \`${body}\`` }
}

function numbered(body: string): Pick<SlowMarker, 'number' | 'detail'> {
  if (body === '') return { detail: 'empty marker body' }
  if (body.startsWith('0')) return { detail: `marker must be a positive integer with no leading zero, got \`${body}\`` }
  return BigInt(body) > 4294967295n ? { detail: `marker value \`${body}\` exceeds u32::MAX` } : { number: Number(body) }
}
