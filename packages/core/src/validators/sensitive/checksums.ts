/** Whether the last digit fits the others by Luhn's formula. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, doubles = false; at >= 0; at--, doubles = !doubles) {
    const digit = digits.charCodeAt(at) - 48
    sum += doubles ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

/** Whether an account number without spaces has the remainder that ISO 13616 asks for. */
export function passesMod97(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
