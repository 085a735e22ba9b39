import { flatShape } from './flat.ts'
import type { ToolShape } from './shape.ts'

/** OpenAI's Responses: flat calls with a type, among the other items of `output`. */
export const responsesShape: ToolShape = { ...flatShape, holder: { key: 'output', holds: 'parts', only: 'function_call' } }
