import type { Fields } from './fields.ts'
import type { ToolCall } from './tool-call.ts'

/** One of the ways in which tool calls are written down. */
export interface ToolShape {
  /** Where a response holds calls of this shape. */
  readonly holder?: Holder
  /** Whether a value is meant as such a call, however broken it is inside. */
  fits(entry: Fields): boolean
  read(entry: Fields): ToolCall
  /** Writes a call in this shape, over the entry that it was read from. */
  write(call: ToolCall, entry?: Fields): Fields
}

/** The key of a response that holds calls. */
interface Holder {
  readonly key: string
  /** `calls`: nothing but calls; `parts`: text and other parts among them; `one`: a single call. */
  readonly holds: 'calls' | 'parts' | 'one'
  /** Whether calls are known by such a type, where other things are kept under this key too. */
  only?(type: unknown): boolean
}
