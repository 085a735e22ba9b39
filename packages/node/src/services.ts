export { type LazyService, lazyParser, lazyService, type ServiceSettings } from './services/lazy-service.ts'
