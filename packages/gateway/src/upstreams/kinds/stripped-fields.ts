/** Fields that some chat clients act upon when they stand in an answer: Open WebUI runs `event`, and shows `content` and `sources` in place of the text. */
const acted = new Set([
  ...['event', 'events', 'execute', 'action', 'actions', 'done', 'status', 'statusHistory', 'content_blocks', 'output', 'embeds'],
  ...['files', 'sources', 'source', 'selected_model_id', 'selectedModelId', 'title', 'tags', 'follow_ups', 'code_executions', 'task_id'],
])

/** Whether a field of a provider must not reach clients; `__proto__` would change the object that it is copied to. */
export function isStripped(name: string): boolean {
  return name === '__proto__' || acted.has(name)
}
