import type { RecordFormat } from './format.ts'
import { plain } from './plain.ts'
import { sticklerLines } from './stickler-lines.ts'

/** Every format, in the order of the docs. */
export const recordFormats: readonly RecordFormat[] = [sticklerLines, plain]
