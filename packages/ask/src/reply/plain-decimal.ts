/** The shortest decimal that reads back as the number, never with an exponent and never `-0`. */
export function plainDecimal(number: number): string {
  const shortest = String(number)
  const match = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(shortest)
  if (match === null) return shortest
  const [, sign = '', first = '', rest = '', power = ''] = match
  const exponent = Number(power)
  // Exponents are only written from 21 upwards or from -7 downwards, so the point never stands inside the digits.
  return exponent > 0 ? `${sign}${(first + rest).padEnd(exponent + 1, '0')}` : `${sign}0.${'0'.repeat(-exponent - 1)}${first}${rest}`
}
