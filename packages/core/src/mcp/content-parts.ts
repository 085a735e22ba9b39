import { isFields } from '../answer/tool-shapes/fields.ts'

/** A part of the content of a result, in pieces. */
export interface ContentPart {
  /** Its text, which is judged with those of the other parts; undefined when it has none. */
  readonly text: string | undefined
  /** Everything else that says something. */
  readonly rest: Readonly<Record<string, unknown>>
  /** The part with another text and rest. */
  write(text: string | undefined, rest: Readonly<Record<string, unknown>>): object
}

/** Names of fields that are those of the protocol. */
export const protocolKeys: ReadonlySet<string> = new Set(
  'content type text resource uri name title description mimeType size data blob annotations audience priority lastModified icons isError _meta'.split(
    ' ',
  ),
)

/** Fields that say nothing but what a part of a known type is made of. */
const typesOf = /^(?:text|image|audio|resource|resource_link)$/
const mimeType = /^[\w.+-]{1,64}\/[\w.+-]{1,64}(?:; ?[\w-]{1,32}=[\w-]{1,32})?$/
const base64 = /^[\w+/=-]*$/

/** Takes a part of a content to pieces: bytes are not judged, and text is found in parts that are text and in embedded resources. */
export function contentPart(part: Readonly<Record<string, unknown>>): ContentPart {
  const { resource } = part
  if (part.type === 'resource' && isFields(resource)) {
    const inner = piecesOf(resource, 'text', 'blob')
    const outer = piecesOf(part, undefined, undefined)
    const { resource: _, ...around } = outer.rest
    const isBare = Object.keys(around).length === 0
    return {
      text: inner.text,
      rest: isBare ? inner.rest : { ...around, resource: inner.rest },
      write: (text, rest) =>
        isBare
          ? { ...part, resource: inner.write(text, rest) }
          : { ...part, ...rest, resource: inner.write(text, rest.resource as Readonly<Record<string, unknown>>) },
    }
  }
  return piecesOf(part, part.type === 'text' ? 'text' : undefined, part.type === 'image' || part.type === 'audio' ? 'data' : undefined)
}

function piecesOf(given: Readonly<Record<string, unknown>>, textField: string | undefined, bytesField: string | undefined): ContentPart {
  const text = textField === undefined ? undefined : given[textField]
  const isText = typeof text === 'string'
  const isSilent = ([field, value]: readonly [string, unknown]): boolean =>
    (field === textField && isText) ||
    (typeof value === 'string' &&
      ((field === 'type' && typesOf.test(value)) ||
        (field === 'mimeType' && mimeType.test(value)) ||
        (field === bytesField && base64.test(value))))
  return {
    text: isText ? text : undefined,
    rest: Object.fromEntries(Object.entries(given).filter((entry) => !isSilent(entry))),
    write: (next, rest) => ({ ...given, ...rest, ...(textField !== undefined && next !== undefined && { [textField]: next }) }),
  }
}
