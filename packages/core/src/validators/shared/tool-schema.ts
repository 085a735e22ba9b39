import * as z from 'zod'
import { type Fields, field, isFields } from '../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../answer/tool-shapes/tool-definition.ts'
import { isStandardSchema, type StandardLike } from '../../schema/standard.ts'

/** A tool whose arguments can be checked, or that says why not. */
export interface CheckedTool extends ToolDefinition {
  /** A schema of Zod, Valibot or ArkType, which may know more than its JSON Schema says. */
  readonly standard?: StandardLike
  /** Why arguments cannot be checked, where what stands in place of a schema is none. */
  readonly unusable?: string
}

/** The tools with JSON Schema in place of the schemas of libraries, as far as these tell it. */
export function withSchemas(tools: readonly ToolDefinition[]): readonly CheckedTool[] {
  return tools.some(({ foreign }) => foreign !== undefined) ? tools.map(withSchema) : tools
}

function withSchema(tool: ToolDefinition): CheckedTool {
  const { name, foreign } = tool
  if (foreign === undefined) return tool
  if (isStandardSchema(foreign)) return { name, schema: jsonSchemaOf(foreign) ?? {}, standard: foreign }
  return { ...tool, unusable: 'it is neither JSON Schema nor a Standard Schema' }
}

function jsonSchemaOf(schema: StandardLike): Fields | undefined {
  const convert = field(field(schema['~standard'], 'jsonSchema'), 'input')
  const ways = [
    () => (typeof convert === 'function' ? convert({ target: 'draft-2020-12' }) : undefined),
    // Another copy of Zod may be too old for that, or a type have no equivalent, which the schema itself will judge.
    () => ('_zod' in schema ? z.toJSONSchema(schema as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' }) : undefined),
  ]
  for (const way of ways) {
    try {
      const converted: unknown = way()
      if (isFields(converted)) return converted
    } catch {}
  }
  return undefined
}
