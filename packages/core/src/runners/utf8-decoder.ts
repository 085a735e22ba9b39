/** Decodes UTF-8 that is cut anywhere, as a `TextDecoder` with `stream` does, but several times faster: only whole characters are given to one without. */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** The beginning of a character whose end has not come. */
  #open: Uint8Array = nothing
  #hasBegun = false

  /** Takes the next bytes. */
  push(bytes: Uint8Array): string {
    const all = this.#open.length === 0 ? bytes : joined(this.#open, bytes)
    const end = endOfWhole(all)
    // A copy, since the bytes are not ours to keep.
    this.#open = end === all.length ? nothing : all.slice(end)
    return this.#decode(end === all.length ? all : all.subarray(0, end))
  }

  /** Takes the end: a character that was cut is replaced. */
  end(): string {
    const rest = this.#open
    this.#open = nothing
    return this.#decode(rest)
  }

  #decode(bytes: Uint8Array): string {
    if (bytes.length === 0) return ''
    const text = this.#decoder.decode(bytes)
    const isMarked = !this.#hasBegun && text.charCodeAt(0) === 0xfeff
    this.#hasBegun = true
    return isMarked ? text.slice(1) : text
  }
}

const nothing = new Uint8Array(0)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** Where the last character begins that goes on behind the end; the end when there is none. */
function endOfWhole(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return size > back ? length - back : length
  }
  return length
}
