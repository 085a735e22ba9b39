import { type Api, chat, messages, responses } from '@stickler/core/internal/apis'

/** The APIs of models; the only place that names them all. */
export const apis: readonly Api[] = [chat, responses, messages]
