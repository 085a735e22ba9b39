/**
 * What a parser throws when it runs out of stack, as JavaScript itself does: there is no verdict.
 */
export function tooDeep(): RangeError {
  return new RangeError('Maximum call stack size exceeded in the parser')
}
