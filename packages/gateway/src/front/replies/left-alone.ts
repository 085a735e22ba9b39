/** The message for an upstream whose circuit is open. */
export const leftAlone = 'the upstream failed too often and is not called for a while'

/** Whether a failure means an open circuit, so that no provider was called; its status is ours. */
export function isLeftAlone(message: string): boolean {
  return /^the upstream (?:[\w.-]{1,100} )?failed too often and is not called for a while$/.test(message)
}
