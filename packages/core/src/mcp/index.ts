export { contracted, type ToolResult } from './contracted.ts'
