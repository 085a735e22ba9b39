export { PendingReplies, type Waiting } from './services/pending-replies.ts'
