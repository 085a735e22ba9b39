/** A part of a form, with its position in the body. */
interface FormPart {
  readonly name: string
  /** Whether it is a file, not the value of a field. */
  readonly isFile: boolean
  /** Its headers and content, unchanged. */
  readonly bytes: Buffer
  readonly content: Buffer
}

const mostParts = 200
const longestHead = 8192
const breakBytes = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** A body of `multipart/form-data` whose fields can be read and replaced; the bytes of all other parts stay unchanged. */
export class MultipartForm {
  readonly contentType: string
  readonly #boundary: string
  readonly #parts: readonly FormPart[]

  private constructor(contentType: string, boundary: string, parts: readonly FormPart[]) {
    this.contentType = contentType
    this.#boundary = boundary
    this.#parts = parts
  }

  /** Reads a body; undefined if servers could read it in different ways. */
  static read(body: Buffer, contentType: string): MultipartForm | undefined {
    const boundary = boundaryOf(contentType)
    const parts = boundary === undefined ? undefined : partsOf(body, boundary)
    return boundary === undefined || parts === undefined
      ? undefined
      : new MultipartForm(`multipart/form-data; boundary=${boundary}`, boundary, parts)
  }

  /** The values of all fields that are not files; several of one name form a list. */
  fields(): Readonly<Record<string, unknown>> {
    const fields: Record<string, unknown> = Object.create(null)
    for (const { name, isFile, content } of this.#parts) {
      if (isFile) continue
      const value = content.toString('utf8')
      const known = fields[name]
      fields[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
    }
    return fields
  }

  /** The same form with another value of a field. */
  with(name: string, value: string): MultipartForm {
    const head = `content-disposition: form-data; name="${name}"\r\n\r\n`
    const part = { name, isFile: false, bytes: Buffer.from(head + value), content: Buffer.from(value) }
    return this.#having(this.#parts.map((old) => (old.name === name ? part : old)))
  }

  /** The same form without some fields. */
  without(names: ReadonlySet<string>): MultipartForm {
    // Some servers read `a[b]` as a member of `a`.
    return this.#having(this.#parts.filter(({ name }) => !names.has(name.split('[', 1)[0] ?? '')))
  }

  /** The whole body. */
  bytes(): Buffer {
    const delimiter = Buffer.from(`--${this.#boundary}\r\n`)
    const all = this.#parts.flatMap(({ bytes }) => [delimiter, bytes, breakBytes])
    return Buffer.concat([...all, Buffer.from(`--${this.#boundary}--\r\n`)])
  }

  #having(parts: readonly FormPart[]): MultipartForm {
    return new MultipartForm(this.contentType, this.#boundary, parts)
  }
}

function boundaryOf(contentType: string): string | undefined {
  const found = /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+.-]{1,70}))\s*(?:;|$)/i.exec(contentType)
  const boundary = found?.[1] ?? found?.[2]
  // Only boundaries that need no quotes, because it is written without.
  return boundary !== undefined && /^[\w'+.-]+$/.test(boundary) ? boundary : undefined
}

function partsOf(body: Buffer, boundary: string): readonly FormPart[] | undefined {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first boundary is at the beginning; a preamble is not passed on.
  if (body.indexOf(delimiter.subarray(2)) !== 0) return undefined
  const parts: FormPart[] = []
  for (let at = delimiter.length - 2; ; ) {
    if (body.toString('latin1', at, at + 2) === '--') return parts
    if (body.toString('latin1', at, at + 2) !== '\r\n' || parts.length === mostParts) return undefined
    const end = body.indexOf(delimiter, at)
    const part = end < 0 ? undefined : partOf(body.subarray(at + 2, end))
    if (part === undefined) return undefined
    parts.push(part)
    at = end + delimiter.length
  }
}

function partOf(bytes: Buffer): FormPart | undefined {
  const end = bytes.subarray(0, longestHead).indexOf(headEnd)
  if (end < 0) return undefined
  const lines = bytes.toString('utf8', 0, end).split('\r\n')
  const [disposition, ...others] = lines.filter((line) => /^content-disposition\s*:/i.test(line))
  if (disposition === undefined || others.length > 0 || lines.some((line) => /^[ \t]|[\r\n]/.test(line))) return undefined
  const rest =
    /^content-disposition:[ \t]*form-data((?:;[ \t]*(?:name|filename)="[^"\r\n\\]*"[ \t]*|;[ \t]*filename\*=[\w'%.~-]+[ \t]*)+)$/i.exec(
      disposition,
    )
  const names = [...(rest?.[1] ?? '').matchAll(/;[ \t]*name="([^"]*)"/gi)]
  const [found] = names
  if (found === undefined || names.length > 1) return undefined
  return { name: found[1] ?? '', isFile: /;[ \t]*filename/i.test(disposition), bytes, content: bytes.subarray(end + headEnd.length) }
}
