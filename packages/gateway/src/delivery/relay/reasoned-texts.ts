import type { JsonEdit } from '@stickler/core/internal'

type Path = JsonEdit['path']

/** A text of an event, a reply or a message that is beside the answer. */
export interface Leaf {
  readonly path: Path
  readonly text: string
  /** Whether it may be a piece of a longer text; what annotations say is whole. */
  readonly isReasoning: boolean
  /** Set when it is written as its bytes. */
  readonly isBytes?: true
}

/** Where reasoning is, by the names of members and the types of objects in all APIs. */
const reasoning = /reasoning|think|thought|summary_text/i
/** Where annotations are: titles, addresses and quotations that clients show beside the answer, and tokens that the model did not choose. */
const references = /annotation|citation|search_result|logprobs/i
/** What tools that the provider runs were given, and what they gave, which clients show too. */
const hosted = /tool_result|(?:server|mcp)_tool_use|(?:mcp|search|interpreter)_call|mcp_list_tools|_call_output|executed_tools/i
const names = new RegExp(`${reasoning.source}|${references.source}|${hosted.source}|input_json_delta`, 'i')
/** Members that no one reads, and that providers compare with what they have sent. */
const others = new Set(
  (
    'type id item_id signature encrypted_content data format status role object model obfuscation ' +
    'encrypted_index file_id container_id tool_use_id call_id'
  ).split(' '),
)
/** No real provider nests deeper. */
const deepest = 32
/** Whether JSON may hold what is searched; names may be escaped. */
export function mayReason(json: string): boolean {
  return names.test(json) || json.includes('\\u')
}

/** The texts of reasoning, of annotations and of tools that the provider runs, in an event, a reply or a message; `isHosted` when an event adds to a call of such a tool. */
export function leavesOf(value: unknown, isHosted = false): readonly Leaf[] {
  const found: Leaf[] = []
  visit(value, [], isHosted, false, found)
  return found
}

/** Whether blocks or items of a type are calls of tools that the provider runs, or their results. */
export function isHosted(type: unknown): boolean {
  return typeof type === 'string' && hosted.test(type)
}

function isBeside(name: string): boolean {
  return references.test(name) || hosted.test(name)
}

function visit(value: unknown, path: Path, isReasoning: boolean, isReference: boolean, found: Leaf[]): void {
  if (typeof value === 'string') {
    if ((isReasoning || isReference) && value !== '') found.push({ path, text: value, isReasoning })
    return
  }
  if (typeof value !== 'object' || value === null || path.length > deepest) return
  if (Array.isArray(value)) {
    if (isReference && path.at(-1) === 'bytes' && value.every(Number.isInteger)) {
      found.push({ path, text: Buffer.from(value as number[]).toString(), isReasoning, isBytes: true })
      return
    }
    for (const [at, item] of value.entries()) visit(item, [...path, at], isReasoning, isReference, found)
    return
  }
  const { type, thought } = value as Readonly<Record<string, unknown>>
  const ownKind = typeof type === 'string' ? type : ''
  // What adds to a call comes in pieces.
  const reasons = isReasoning || thought === true || reasoning.test(ownKind) || (ownKind.endsWith('.delta') && hosted.test(ownKind))
  const refers = isReference || isBeside(ownKind)
  for (const [name, item] of Object.entries(value)) {
    // The data of a text is no bytes.
    if (!others.has(name) || (name === 'data' && type === 'text' && refers))
      visit(item, [...path, name], reasons || reasoning.test(name), refers || isBeside(name), found)
  }
}
