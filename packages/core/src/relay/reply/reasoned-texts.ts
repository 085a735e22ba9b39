import type { JsonEdit } from '../../json/edit-json.ts'

type Path = JsonEdit['path']

/** A text of an event, a reply or a message that is beside the answer. */
export interface Leaf {
  readonly path: Path
  readonly text: string
  /** Whether it may be a piece of a longer text; what annotations say is whole. */
  readonly isReasoning: boolean
  /** Whether it is written as its bytes. */
  readonly isBytes: boolean
}

/** Where reasoning is, by the names of members and the types of objects in all APIs. */
const reasoning = /reasoning|think|thought|summary_text/i
/** What gateways add to a message, which may have both; many add it empty. */
const added = /(?:content_blocks|provider_specific_fields|"parts)"\s*:\s*[^\sn]/i
/** Where annotations are: titles, addresses and quotations that clients show beside the answer, and tokens that the model did not choose. */
const references = /annotation|citation|search_result|logprobs/i
/** What tools that the provider runs were given, and what they gave, which clients show too; and what providers say about why they stopped or ask. */
const hosted =
  /tool_result|(?:server|mcp)_tool_use|(?:mcp|search|interpreter|generation)_call|mcp_list_tools|mcp_approval_response|additional_tools|tool_search_output|_call_output|executed_tools|compaction|stop_details|safety_checks|^program(?:_output)?$/i
/** A requested text, unless the provider sends another one; usually absent. */
const ending = 'stop_sequence'
const names = new RegExp(
  `${reasoning.source}|${references.source}|${hosted.source}|input_json_delta|"program(?:_output)?"|${ending}"\\s*:\\s*"`,
  'i',
)
/** Members that no one reads, and that providers compare with what they have sent. */
const others = new Set(
  (
    'type id item_id signature encrypted_content data format status role object model obfuscation ' +
    'encrypted_index file_id container_id tool_use_id call_id caller_id partial_image_b64'
  ).split(' '),
)
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** No real provider nests deeper. */
const deepest = 32
/** Whether JSON may hold what is searched; names may be escaped. */
export function mayReason(json: string): boolean {
  return names.test(json) || added.test(json) || json.includes('\\u')
}

/** The texts of reasoning, of annotations and of tools that the provider runs, in an event, a reply or a message; `isHosted` when an event adds to a call of such a tool. */
export function leavesOf(value: unknown, isHosted = false): readonly Leaf[] {
  const found = new Leaves()
  found.visit(value, isHosted, false)
  return found.all
}

/** Whether blocks or items of a type are calls of tools that the provider runs, or their results. */
export function isHosted(type: unknown): boolean {
  return typeof type === 'string' && hosted.test(type)
}

/** What a name says of what it names; what adds to a call comes in pieces. */
interface Kind {
  readonly reasons: boolean
  readonly refers: boolean
  readonly adds: boolean
}

/** Log probabilities have very many leaves: paths are copied for these alone, and each name is looked at once. */
class Leaves {
  readonly all: Leaf[] = []
  readonly #path: (string | number)[] = []
  readonly #kinds = new Map<string, Kind>()

  visit(value: unknown, isReasoning: boolean, isReference: boolean): void {
    const path = this.#path
    if (typeof value === 'string') {
      if ((isReasoning || isReference) && value !== '') this.all.push({ path: path.slice(), text: value, isReasoning, isBytes: false })
      return
    }
    if (typeof value !== 'object' || value === null || path.length > deepest) return
    if (Array.isArray(value)) {
      if (isReference && path.at(-1) === 'bytes' && value.every(Number.isInteger)) {
        this.all.push({ path: path.slice(), text: utf8.decode(Uint8Array.from(value as number[])), isReasoning, isBytes: true })
        return
      }
      for (let at = 0; at < value.length; at++) this.#visitAt(at, value[at], isReasoning, isReference)
      return
    }
    const holder = value as Readonly<Record<string, unknown>>
    const kind = this.#kindOf(typeof holder.type === 'string' ? holder.type : '')
    const reasons = isReasoning || holder.thought === true || kind.reasons || kind.adds
    const refers = isReference || kind.refers
    for (const name of Object.keys(holder)) {
      const item = holder[name]
      // The data of a text is no bytes.
      if (
        typeof item === 'number' ||
        (typeof item === 'string' && others.has(name) && !(name === 'data' && holder.type === 'text' && refers))
      )
        continue
      if (name === 'result' && holder.type === 'image_generation_call') continue
      const named = this.#kindOf(name)
      this.#visitAt(name, item, reasons || named.reasons, refers || named.refers)
    }
  }

  #visitAt(step: string | number, item: unknown, isReasoning: boolean, isReference: boolean): void {
    this.#path.push(step)
    this.visit(item, isReasoning, isReference)
    this.#path.pop()
  }

  #kindOf(name: string): Kind {
    let kind = this.#kinds.get(name)
    if (kind === undefined) {
      const isOfTool = hosted.test(name)
      kind = {
        reasons: reasoning.test(name) || added.test(`"${name}":[`),
        refers: isOfTool || name === ending || references.test(name),
        adds: isOfTool && name.endsWith('.delta'),
      }
      this.#kinds.set(name, kind)
    }
    return kind
  }
}
