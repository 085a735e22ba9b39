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
