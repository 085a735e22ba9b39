import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { checkFields, type FieldTable, refuse, requireField } from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-size.ts'
import type { Translation } from '../../request/translation.ts'
import type { MessagesReading } from './messages-options.ts'

const configFields: FieldTable = new Map([
  ['effort', 'text'],
  ['format', 'object'],
])
const fieldsOfConfig = new Set(configFields.keys())
const fieldsOfThinking = new Set(['type', 'budget_tokens'])
const fieldsOfFormat = new Set(['type', 'schema'])

const kinds: readonly unknown[] = ['enabled', 'disabled', 'adaptive', 'between_tools']

/** Thinking budgets up to which the effort is low or medium. */
const lowBudget = 4096
const mediumBudget = 16_384

/** The reasoning effort, as in chat completions; undefined where the provider may choose. */
export function readEffort({ output_config: config, thinking }: Fields, { translation }: MessagesReading): string | undefined {
  const effort = isFields(config) ? config.effort : undefined
  if (isFields(thinking)) {
    translation.dropOthers(thinking, fieldsOfThinking, 'thinking.')
    if (!kinds.includes(thinking.type)) refuse('thinking.type', 'thinking.type must be enabled, disabled, adaptive or between_tools.')
    if (thinking.type === 'enabled') requireField(thinking, 'budget_tokens', 'count', 'thinking.')
  }
  if (isFields(config)) {
    checkFields(config, configFields, 'output_config.')
  }
  if (typeof effort === 'string') {
    // The effort already covers it.
    if (isFields(thinking)) translation.drop('thinking')
    if (effort !== 'max' && effort !== 'xhigh') return effort
    translation.drop('output_config.effort')
    return 'high'
  }
  return isFields(thinking) ? effortOf(thinking, translation) : undefined
}

function effortOf({ type, budget_tokens: tokens }: Fields, translation: Translation): string | undefined {
  if (type === 'enabled') {
    const budget = Number(tokens)
    if (budget <= lowBudget) return 'low'
    return budget <= mediumBudget ? 'medium' : 'high'
  }
  // A provider of another kind that reasons by itself cannot be stopped.
  translation.drop('thinking')
  return undefined
}

/** The response format, as in chat completions. */
export function readFormat({ output_config: config, output_format: older }: Fields, { translation }: MessagesReading): Fields | undefined {
  const inConfig = isFields(config) && isFields(config.format)
  if (isFields(config)) translation.dropOthers(config, fieldsOfConfig, 'output_config.')
  const format = inConfig ? config.format : older
  if (inConfig && older !== undefined && older !== null) translation.drop('output_format')
  if (!isFields(format)) return undefined
  const path = inConfig ? 'output_config.format.' : 'output_format.'
  checkSchemaSize(format.schema, `${path}schema`)
  return translation.attempt(() => {
    if (format.type !== 'json_schema') refuse(`${path}type`, `${path}type must be json_schema.`)
    requireField(format, 'schema', 'object', path)
    translation.dropOthers(format, fieldsOfFormat, path)
    return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } }
  }, undefined)
}
