import type { Message } from '../../../engine/runner.ts'
import { DroppedFields } from '../../request/dropped-fields.ts'
import { type Block, messageBlocks } from './anthropic-content.ts'

/** Messages of chat completions as turns; adjacent ones of one role become one turn: tool results must be together, right after their calls. */
export function messagesTurns(messages: readonly Message[]): readonly Message[] {
  const dropped = new DroppedFields()
  return joinedTurns(messages.map((message) => [message.role, messageBlocks(message, '', dropped)]))
}

/** The turns of messages, by the role and the blocks of each. */
export function joinedTurns(messages: readonly (readonly [role: string, blocks: readonly Block[]])[]): readonly Message[] {
  const turns: { readonly role: string; readonly content: Block[] }[] = []
  for (const [from, blocks] of messages) {
    const role = from === 'assistant' ? from : 'user'
    const last = turns.at(-1)
    if (last?.role === role) for (const block of blocks) last.content.push(block)
    else if (blocks.length > 0) turns.push({ role, content: [...blocks] })
  }
  return turns.map(({ role, content }) => ({ role, content: plain(content) }))
}

/** A single plain text needs no blocks. */
export function plain(blocks: readonly Block[]): string | readonly Block[] {
  const [first] = blocks
  const isPlain = blocks.length === 1 && first?.type === 'text' && Object.keys(first).length === 2
  return isPlain && typeof first.text === 'string' ? first.text : blocks
}
