import type { Outcome } from '../outcome.ts'
import type { ResponseOptions } from './stream-response.ts'

/** A stream of text that is safe to show, and the outcome at its end. The text is read once, by one reader. */
export interface EnforcedStream<Value = unknown> extends AsyncIterable<string> {
  /** Settles at the end of the run, or when its reader has left. Without a reader, awaiting it drives the run; the text can still be read then. */
  readonly outcome: Promise<Outcome<Value>>
  /** The value as it grows, provisional up to the last one; beside the text or in place of it. */
  readonly partials: AsyncIterable<PartialValue<Value>>
  /** The same texts in place of reading them one by one: those that came together in one list. */
  batches(): AsyncIterable<readonly string[]>
  /** The text as UTF-8 bytes, for `Response` and other bodies; it ends with an `UndeliveredError` when the answer is not delivered. */
  toReadableStream(): ReadableStream<Uint8Array>
  /** A response with the text as its body, once the first text is there: 422 when the answer broke its contract before, 502 or 504 when there is none. */
  toResponse(options?: ResponseOptions): Promise<Response>
}

/** A value of which any part may still be missing. */
export type DeepPartial<Value> = Value extends string | number | boolean | bigint | symbol | null | undefined | Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
      : Value

/** The value of an answer so far, or at its end. */
export type PartialValue<Value = unknown> =
  | {
      /** What there is so far may still be rejected. */
      readonly final: false
      /** Number of the attempt that it is from: a later one starts over. */
      readonly attempt: number
      readonly value: DeepPartial<Value>
    }
  | {
      /** The checked value of an answer that is delivered, as in the outcome. */
      readonly final: true
      readonly attempt: number
      readonly value: Value
    }
