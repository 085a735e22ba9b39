import { createRequire } from 'node:module'
import * as z from 'zod'
import { openToAll } from '../../front/access/roles.ts'
import type { Route } from '../../front/exchange.ts'
import { sendJsonText } from '../../front/replies/json-response.ts'
import type { ReplyDescription, RouteDescription } from '../../front/route-description.ts'
import { allErrors, errorNames, errorStatuses, openAiErrors, otherError } from './error-schemas.ts'

type JsonSchema = Record<string, unknown>
type Metadata = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['metadata']

/** Writes schemas as JSON Schema; named ones become references. */
class SchemaWriter {
  readonly #metadata: Metadata
  readonly #components: Record<string, JsonSchema> = {}
  readonly #written = new Map<z.ZodType, Map<string, JsonSchema>>()

  constructor(named: Readonly<Record<string, z.ZodType>>) {
    const ids = new Map(Object.entries(named).map(([id, schema]) => [schema, id]))
    // Names are local to this document; the schemas' own metadata stays with them.
    const get = (schema: z.ZodType): object | undefined => {
      const id = ids.get(schema)
      const own = schema.meta()
      return id === undefined ? own : { ...own, id }
    }
    this.#metadata = { get } as unknown as Metadata
  }

  /** The schema as it appears in a document whose components hold the named ones. */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const known = this.#written.get(schema) ?? new Map<string, JsonSchema>()
    this.#written.set(schema, known)
    const written = known.get(io) ?? this.#convert(schema, io)
    known.set(io, written)
    return written
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const written = z.toJSONSchema(schema, { metadata: this.#metadata, io, unrepresentable: 'any' } as object)
    const moved = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/')
    const { $schema: _dialect, $defs = {}, ...rest } = JSON.parse(moved) as JsonSchema
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) this.#components[id] ??= definition
    return rest
  }

  /** The named schemas that are referenced, by name. */
  components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

type Json = Readonly<Record<string, unknown>>

/** Who may use a route, as text. */
const roles: Readonly<Record<Route['access'], string>> = {
  call: 'Needs a client key.',
  read: 'Needs a key; clients see only their own runs.',
  operate: 'Needs an operator key.',
  probe: 'Needs an operator key, except on the operator listener.',
  page: 'Needs no key.',
  open: 'Needs no key.',
}

const schemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of the gateway. A gateway without keys answers local requests only and asks for none.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key, as clients of Anthropic send it.' },
}

/** Makes the OpenAPI 3.1 document of routes; throws when one of them has no description. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  // What takes all other paths only refuses.
  const named = routes.filter(({ path }) => !path.endsWith('/*'))
  const described = named.map((route) => ({ route, description: descriptionOf(route) }))
  const writer = new SchemaWriter(Object.assign({}, errorNames, ...described.map(({ description }) => description.names)))
  const paths: Record<string, Record<string, Json>> = {}
  for (const { route, description } of described) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, description, writer) }
  }
  const shared = sharedParts(writer)
  return {
    openapi: '3.1.1',
    info: { title: 'Stickler gateway', version, summary: 'Every LLM answer meets its contract, or you learn exactly why not.' },
    servers: [{ url: '/' }],
    tags: [...new Set(described.map(({ description }) => description.group))].map((name) => ({ name })),
    paths,
    components: { ...shared, schemas: writer.components(), securitySchemes: schemes },
  }
}

/** Components that many operations reference. */
function sharedParts(writer: SchemaWriter): Json {
  const failures = [...allErrors, otherError].map(([status, meaning]) => [
    `Error-${status}`,
    replyOf({ meaning, content: openAiErrors }, writer, true),
  ])
  return {
    headers: { 'x-request-id': { description: "The client's id, or a new one.", schema: { type: 'string' } }, ...replyHeaders() },
    parameters: requestHeaders(),
    responses: Object.fromEntries(failures),
  }
}

function refTo(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

function refsTo(kind: string, named: Json): Json[] {
  return Object.keys(named).map((name) => refTo(kind, name))
}

function descriptionOf({ method, path, description }: Route): RouteDescription {
  if (description === undefined) throw new Error(`the route ${method} ${path} has no description`)
  return description()
}

function operationOf(
  route: Route,
  { summary, notes, group, query, body, replies, errors = openAiErrors }: RouteDescription,
  writer: SchemaWriter,
): Json {
  const { method, path, access } = route
  const isCall = access === 'call'
  const parameters = [...pathParameters(path), ...queryParameters(query, writer), ...(isCall ? refsTo('parameters', requestHeaders()) : [])]
  const write = (reply: ReplyDescription): Json => replyOf(reply, writer, isCall)
  const failure = (status: number | string, meaning: string): Json =>
    errors === openAiErrors ? refTo('responses', `Error-${status}`) : write({ meaning, content: errors })
  const failures = errorStatuses(route).filter(([status]) => !(status in replies))
  return {
    operationId: operationId(method, path),
    summary,
    description: [notes, roles[access]].filter(Boolean).join(' '),
    tags: [group],
    'x-access': access,
    security: openToAll.has(access) ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf(body, writer, 'input') } }),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, write(reply)])),
      ...Object.fromEntries([...failures, otherError].map(([status, meaning]) => [status, failure(status, meaning)])),
    },
  }
}

function replyOf({ meaning, content }: ReplyDescription, writer: SchemaWriter, isCall: boolean): Json {
  const names = ['x-request-id', ...(isCall ? Object.keys(replyHeaders()) : [])]
  const headers = Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))
  return { description: meaning, headers, content: contentOf(content, writer, 'output') }
}

/** OpenAPI 3.1 cannot describe the events of a stream, so their schema is in a field of our own. */
function contentOf(content: Readonly<Record<string, z.ZodType>>, writer: SchemaWriter, io: 'input' | 'output'): Json {
  const entry = (type: string, schema: z.ZodType): Json =>
    type === 'text/event-stream'
      ? { schema: { type: 'string' }, 'x-event-schema': writer.write(schema, io) }
      : { schema: writer.write(schema, io) }
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, entry(type, schema)]))
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(query: z.ZodObject | undefined, writer: SchemaWriter): Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = writer.write(schema as z.ZodType, 'input') as Json & { readonly description?: string }
    return { name, in: 'query', required: false, ...(description === undefined ? {} : { description }), schema: rest }
  })
}

function operationId(method: string, path: string): string {
  const words = path.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  return [method.toLowerCase(), ...(words.length === 0 ? ['root'] : words)].join('_')
}

const request: Readonly<Record<string, string>> = {
  'x-stickler-session': 'The session that the request belongs to.',
  'x-stickler-task': "The client's task, such as `title_generation`; a route may exempt it.",
  'x-stickler-contract': 'The contract, on routes that list several; the first one of the route when absent.',
  'x-stickler-user': 'The tenant, for the answer cache and the audit.',
  'x-stickler-tags': 'Tags of the request, separated by commas, that the route leaves to clients.',
  'x-stickler-progress': 'Whether chunks report progress.',
  traceparent: 'The trace that the run continues.',
}

const reply: Readonly<Record<string, string>> = {
  'x-stickler-status': '`valid`, `repaired`, `unresolved`, `unchecked`, `failed` or `unenforced`; in a stream it is in the last chunk.',
  'x-stickler-attempts': 'Number of model calls.',
  'x-stickler-contract': 'Name of the contract; empty without one.',
  'x-stickler-fallback': "`true` when the contract's fallback was delivered in place of an answer.",
  'x-stickler-validation-status': 'The verdict as the preset names it.',
  'x-stickler-dropped': "Fields that were dropped because the provider's API does not support them.",
  'x-stickler-query-type': 'The type of the query, on routes with a pipeline.',
  'x-stickler-context-relevant': 'Whether the passages were judged to be relevant.',
  'x-stickler-degraded': 'Pipeline steps that were degraded.',
  'retry-after': 'Seconds to wait before retrying.',
}

/** Headers that clients of models may send. */
function requestHeaders(): Json {
  const parameter = (name: string, description: string): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return Object.fromEntries(Object.entries(request).map(([name, description]) => [name, parameter(name, description)]))
}

/** Headers of replies to clients of models. */
function replyHeaders(): Json {
  return Object.fromEntries(Object.entries(reply).map(([name, description]) => [name, { description, schema: { type: 'string' } }]))
}

/**
 * Adds the route that describes them all, itself included; the document is built on first request.
 */
export function withOpenApi(routes: readonly Route[]): readonly Route[] {
  let text: string | undefined
  const all: readonly Route[] = [
    ...routes,
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'read',
      description: documentDescription,
      async handler(exchange) {
        text ??= JSON.stringify(openApiDocument(all, packageVersion()))
        sendJsonText(exchange, 200, text)
      },
    },
  ]
  return all
}

function documentDescription(): RouteDescription {
  const content = { 'application/json': z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }) }
  return {
    summary: 'Get this document.',
    group: 'Operation',
    replies: { 200: { meaning: 'The OpenAPI 3.1 document of every route.', content } },
  }
}

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@stickler/gateway/package.json')
  return String((manifest as { version?: unknown }).version)
}
