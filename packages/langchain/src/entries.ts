/** Methods of LangChain's base class for all runnables, which lead to `invoke` in the end; classes below it have ways of their own. */
export const entries = [
  ...['batch', 'stream', 'transform', 'streamEvents', 'streamV2', 'streamLog', 'pipe', 'pick', 'assign', 'asTool', 'withRetry'],
  ...['withListeners', '_streamIterator', '_streamLog', '_streamEventsV1', '_streamEventsV2'],
]
