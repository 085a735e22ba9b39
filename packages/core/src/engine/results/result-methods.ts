/** What a result whose answer keeps its contract can do; members of a class, so that the type of a copy (`{ ...result }`) lacks them as the copy does. */
declare abstract class KeptMembers<Value> {
  /** Whether the answer keeps its contract. */
  get ok(): true
  /** The value, or the text where no validator reads a value; throws an `UndeliveredError` unless the answer keeps its contract. */
  unwrap(): Value
}

/** What any other result can do. */
export declare abstract class OpenMembers {
  get ok(): false
  unwrap(): never
}

/** A kept contract with the value that a validator such as `json` has read. */
export interface Answered<Value> extends KeptMembers<Value> {
  readonly value: Value
}

/** A kept contract without a value: the turn only calls tools, or no validator reads one. */
export interface Valueless extends KeptMembers<string> {
  readonly value?: undefined
}

/** An answer that breaks the contract, or could not be checked in full. */
export interface Unanswered<Value> extends OpenMembers {
  /** Only of an answer without errors, and only if it is delivered. */
  readonly value?: Value
}

/** The result for an answer: what it has when the answer keeps the contract, and when it does not, each with what the value's type implies. */
export type ResultOf<Kept, Open, Value> =
  | (Kept & Answered<Exclude<Value, undefined>>)
  | (undefined extends Value ? Kept & Valueless : never)
  | (Open & Unanswered<Exclude<Value, undefined>>)
