export { type LazyService, lazyParser, lazyService, type ServiceSettings } from './services/lazy-service.ts'
export { PendingReplies, type Waiting } from './services/pending-replies.ts'
