import * as z from 'zod'

type JsonSchema = Record<string, unknown>
type Metadata = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['metadata']

/** Writes schemas as JSON Schema; named ones become references. */
export class SchemaWriter {
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
