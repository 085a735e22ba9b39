import type { Io, OutputStream } from '../io.ts'

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 } as const

/** Colours for a stream; each function returns the text unchanged without colours. */
export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>

/** The colours that a stream supports: none when it is not a terminal, or when NO_COLOR is set. */
export function paintFor(stream: OutputStream, env: Io['env']): Paint {
  return paintWith(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb')
}

function paintWith(colours: boolean): Paint {
  const paint = (code: number) => (text: string) => (colours && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, paint(code)])) as unknown as Paint
}

/** Without colours, as for files. */
export const plain: Paint = paintWith(false)
