import { printable } from './printable.ts'

/** A text as one safe line of limited length; messages may contain model output. */
export function clip(text: string, longest = 1000): string {
  if (text.length <= longest) return printable(text)
  const splitsPair = /[\ud800-\udbff]$/.test(text.slice(0, longest))
  return `${printable(text.slice(0, splitsPair ? longest - 1 : longest))}…`
}
