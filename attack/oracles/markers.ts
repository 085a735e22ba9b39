/** A marker `[^…]` with its number; none where it is malformed. */
export interface SlowMarker {
  readonly start: number
  readonly end: number
  readonly number?: number
}

/** The slow, obvious reading of RedDB's rules: line by line, fences left out, escapes counted backwards. */
export function slowMarkers(text: string): SlowMarker[] {
  const found: SlowMarker[] = []
  let inFence = false
  let lineStart = 0
  for (const line of text.split('\n')) {
    if (/^[ \t]*```/.test(line)) inFence = !inFence
    else if (!inFence)
      for (const marker of inLine(line)) found.push({ ...marker, start: lineStart + marker.start, end: lineStart + marker.end })
    lineStart += line.length + 1
  }
  return found
}

function inLine(line: string): SlowMarker[] {
  const found: SlowMarker[] = []
  for (let at = line.indexOf('[^'); at >= 0; at = line.indexOf('[^', at)) {
    const close = line.indexOf(']', at)
    const body = line.slice(at + 2, close)
    const backslashes = /\\*$/.exec(line.slice(0, at))?.[0].length ?? 0
    const isMarker = close >= 0 && backslashes % 2 === 0 && (/^\d*$/.test(body) || Buffer.byteLength(body) <= 16)
    if (!isMarker) {
      at++
      continue
    }
    const isNumber = /^[1-9]\d{0,9}$/.test(body) && Number(body) <= 0xffff_ffff
    found.push({ start: at, end: close + 1, ...(isNumber ? { number: Number(body) } : {}) })
    at = close + 1
  }
  return found
}
