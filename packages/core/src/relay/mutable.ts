/**
 * An object under construction: optional fields are set one by one, which costs less than spreading
 * parts that may be empty.
 */
export type Mutable<Whole> = { -readonly [Key in keyof Whole]: Whole[Key] }
