import { aiSdkClients } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic.ts'
import type { RelayClient } from './client.ts'
import { langchainClients } from './langchain.ts'
import { openaiChat, openaiChunks, openaiResponses } from './openai.ts'

/** Every client that is compared with itself. */
export const clients: readonly RelayClient[] = [
  openaiChat,
  openaiChunks,
  openaiResponses,
  anthropicMessages,
  ...aiSdkClients,
  ...langchainClients,
]
