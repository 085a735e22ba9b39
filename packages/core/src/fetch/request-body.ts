import { isFields } from '../answer/tool-shapes/fields.ts'

/** Maximum bytes of a stream that are held to be read. */
const maxStreamBytes = 64 * 1024 * 1024

/** The body of a request. */
interface RequestBody {
  /** Empty if it cannot be read. */
  readonly text: string
  /** What is sent instead of a stream, which can be read only once. */
  readonly copy?: Uint8Array<ArrayBuffer>
}

/** Whether a body is a form with files, which is no request to a model. */
export function isForm(body: unknown, headers: Headers): boolean {
  return tagOf(body) === 'FormData' || /^\s*multipart\//i.test(headers.get('content-type') ?? '')
}

/** Reads what `fetch` takes as a body. */
export async function readBody(body: unknown, signal: AbortSignal | undefined): Promise<RequestBody> {
  // Other realms and libraries have classes of their own.
  const tag = tagOf(body)
  if (tag === 'ArrayBuffer' || ArrayBuffer.isView(body)) return { text: decode(body as ArrayBuffer) }
  if (tag === 'URLSearchParams') return { text: '' }
  if (isFields(body)) {
    if (typeof body.arrayBuffer === 'function') return { text: decode((await body.arrayBuffer()) as ArrayBuffer) }
    if (typeof body.getReader === 'function') return readPieces((body as unknown as ReadableStream).getReader(), signal)
    if (Symbol.asyncIterator in body) return readPieces(readerOf(body as unknown as AsyncIterable<unknown>), signal)
  }
  return { text: withoutMark(String(body)) }
}

interface Pieces {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<unknown>
}

function readerOf(pieces: AsyncIterable<unknown>): Pieces {
  const iterator = pieces[Symbol.asyncIterator]()
  return { read: () => iterator.next(), cancel: async () => iterator.return?.() }
}

async function readPieces(reader: Pieces, signal: AbortSignal | undefined): Promise<RequestBody> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
  })
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted])
      if (done) break
      const piece = typeof value === 'string' ? new TextEncoder().encode(value) : value
      size += ArrayBuffer.isView(piece) ? piece.byteLength : Number.POSITIVE_INFINITY
      if (size > maxStreamBytes) {
        reader.cancel().catch(() => {})
        return { text: '' }
      }
      pieces.push(piece as Uint8Array<ArrayBuffer>)
    }
  } catch (thrown) {
    reader.cancel(thrown).catch(() => {})
    throw thrown
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  const copy = new Uint8Array(await new Blob(pieces).arrayBuffer())
  return { text: decode(copy), copy }
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Servers skip a mark of the byte order, `JSON.parse` does not. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
