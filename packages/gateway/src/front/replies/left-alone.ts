/** What is said of an upstream whose circuit is open. */
export const leftAlone = 'the upstream failed too often and is left alone for a while'

/** Whether a failure says that a circuit is open, so that no provider was asked; its status is ours. */
export function isLeftAlone(message: string): boolean {
  return /^the upstream (?:[\w.-]{1,100} )?failed too often and is left alone for a while$/.test(message)
}
