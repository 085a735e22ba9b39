/** Anthropic's own address. */
export const anthropicUrl = 'https://api.anthropic.com'

/** Whether an address is Anthropic's own. */
export function isAnthropic(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === anthropicUrl
}
