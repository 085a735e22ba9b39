import { type Fields, isFields } from '../shared/fields.ts'
import { checkFields, type FieldTable, refuse, requireField } from '../shared/read-fields.ts'
import { checkSchemaSize } from '../shared/schema-size.ts'

const configFields: FieldTable = new Map([
  ['effort', 'text'],
  ['format', 'object'],
])

const kinds: readonly unknown[] = ['enabled', 'disabled', 'adaptive', 'between_tools']

/** Budgets of thinking up to which an effort is named low or medium. */
const lowBudget = 4096
const mediumBudget = 16_384

/** How hard the model shall think, in the words of chat completions; nothing where the provider may choose. */
export function readEffort({ output_config: config, thinking }: Fields): string | undefined {
  if (isFields(config)) {
    checkFields(config, configFields, 'output_config.')
    if (typeof config.effort === 'string') return config.effort === 'max' || config.effort === 'xhigh' ? 'high' : config.effort
  }
  if (!isFields(thinking)) return undefined
  if (!kinds.includes(thinking.type)) refuse('thinking.type', 'thinking.type must be enabled, disabled, adaptive or between_tools.')
  if (thinking.type !== 'enabled') return undefined
  requireField(thinking, 'budget_tokens', 'count', 'thinking.')
  const budget = Number(thinking.budget_tokens)
  if (budget <= lowBudget) return 'low'
  return budget <= mediumBudget ? 'medium' : 'high'
}

/** The format of the answer in the shape of chat completions. */
export function readFormat({ output_config: config, output_format: older }: Fields): Fields | undefined {
  const inConfig = isFields(config) && isFields(config.format)
  const format = inConfig ? config.format : older
  if (!isFields(format)) return undefined
  const path = inConfig ? 'output_config.format.' : 'output_format.'
  if (format.type !== 'json_schema') refuse(`${path}type`, `${path}type must be json_schema.`)
  requireField(format, 'schema', 'object', path)
  checkSchemaSize(format.schema, `${path}schema`)
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } }
}
