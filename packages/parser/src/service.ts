export { CannotListen, type TlsTexts } from './service/listen.ts'
export { type ParserService, type ParserServiceOptions, startParserService } from './service/parser-service.ts'
