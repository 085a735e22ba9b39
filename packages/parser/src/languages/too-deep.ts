/** What a parser throws that has run out of stack, as JavaScript itself does: there is no verdict. */
export function tooDeep(): RangeError {
  return new RangeError('Maximum call stack size exceeded in the parser')
}
