import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { isDeeperThan } from '@stickler/core/runners'
import { HttpError } from './replies/http-error.ts'

/** Refuses a body that is compressed. */
export function checkEncoding(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, 'Send the body without content-encoding.', { code: 'unsupported_content_encoding' })
  }
}

/** Refuses a body that is compressed, or says that it is no JSON; one that says nothing is read. */
export function checkJsonHeaders(headers: IncomingHttpHeaders): void {
  checkEncoding(headers)
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json' && !isJsonType(type)) {
    throw new HttpError(415, 'Send the body as application/json.', { code: 'unsupported_content_type' })
  }
}

/** A body that is a JSON object, parsed and as it was sent. */
export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>
  readonly source: string
}

/** Parses a body: UTF-8, JSON, not nested too deeply, an object, without keys that could reach a prototype. */
export function parseJsonBody(body: Buffer, maxDepth: number): JsonBody {
  if (!isUtf8(body)) throw invalid('The body is not valid UTF-8.', 'invalid_utf8')
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const text = body.toString('utf8', hasMark ? 3 : 0)
  if (isDeeperThan(text, maxDepth)) throw invalid(`The body is nested more than ${maxDepth} levels deep.`, 'nested_too_deeply')
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('The body must be a JSON object.', 'not_an_object')
  // Escapes of ASCII letters can hide the name from the search.
  if ((text.includes('__proto__') || text.includes('\\u00')) && hasPrototypeKey(value)) {
    throw invalid('The body must not have a key "__proto__".', 'forbidden_key')
  }
  return { value: value as JsonBody['value'], source: text }
}

function isJsonType(type: string): boolean {
  const [media = ''] = type.split(';', 1)
  const name = media.trim().toLowerCase()
  return name === 'application/json' || (name.startsWith('application/') && name.endsWith('+json'))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON.', 'invalid_json')
  }
}

function hasPrototypeKey(root: object): boolean {
  const open: object[] = [root]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Object.hasOwn(holder, '__proto__')) return true
    for (const value of Object.values(holder)) if (typeof value === 'object' && value !== null) open.push(value)
  }
  return false
}

function invalid(message: string, code: string): HttpError {
  return new HttpError(400, message, { code })
}
