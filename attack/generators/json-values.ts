import fc from 'fast-check'

/** Texts that look like parts of JSON, and others. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    ...['He said "yes", and left', "it's", 'a, b: c', '{x}', '], [', '", "k": 1', '__proto__', 'constructor', '\\d', '```', ' // c', '“q”'],
  ),
)

/** Values that JSON can write. */
export const { value: jsonValues } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.constantFrom(true, false, null, 0, 12),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(texts, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}))

/** Values of which JSON is an object or a list, as answers and arguments are. */
export const jsonContainers: fc.Arbitrary<unknown> = fc.oneof(
  fc.array(jsonValues, { maxLength: 4 }),
  fc.array(fc.tuple(texts, jsonValues), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
)
