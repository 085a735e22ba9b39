/** What SQL has in other dialects and not in PostgreSQL; strings and comments are taken out before. */
const marks: readonly RegExp[] = [
  // backtracks: at most 400 characters
  // MySQL and MariaDB.
  // backtracks: at most 400 characters
  /`[^`\r\n]{1,128}`|\b(?:AUTO_INCREMENT|STRAIGHT_JOIN|TINYINT|MEDIUMINT|LONGTEXT|MEDIUMTEXT|UNSIGNED|ZEROFILL|DELIMITER)\b/i,
  // backtracks: at most 400 characters
  /\bENGINE\s?=|\bON DUPLICATE KEY\b|\bINSERT IGNORE\b|\bREPLACE INTO\b|\bSHOW (?:TABLES|DATABASES|COLUMNS|CREATE|INDEX)\b|\bLIMIT \d+\s?,|\bINTERVAL [\w.]+ (?:DAY|HOUR|MINUTE|SECOND|WEEK|MONTH|YEAR)\b|(?<!\bAS )\bENUM\s?\(|\bSEPARATOR ''|\b(?:MODIFY|CHANGE) COLUMN\b|\b(?:CHARACTER SET|CHARSET)\b|\bSIGNAL SQLSTATE\b|\bDATETIME\(\d|^[ \t]*(?:USE|DESCRIBE|DESC) \w+\s*;|\bDELETE \w+ FROM\b|,\s*(?:UNIQUE )?(?:KEY|INDEX) \w+\s?\(/i,
  // backtracks: at most 400 characters
  // SQL Server.
  // backtracks: at most 400 characters
  /^[ \t]*GO[ \t]*$|\bSELECT (?:DISTINCT )?TOP\b|\b(?:NVARCHAR|VARCHAR|VARBINARY)\s?\(MAX\)|\bIDENTITY\s?\(\d|(?<![\w\]"'])\[[A-Za-z_][\w ]{0,127}\](?!\[)|\bDECLARE @|\bSET @|(?<!\w)@@?\w+|\bCROSS APPLY\b|\bOUTER APPLY\b|\bWITH \(NOLOCK\)|\bCREATE OR ALTER\b|\bEXEC(?:UTE)? (?:sp_|@|dbo)|\bPRINT ''|(?<!\w)#\w+|\bPIVOT\s?\(|\bBEGIN (?:TRY|CATCH|TRAN)\b|\bIF OBJECT_ID\b|\bTRY_CONVERT\b/i,
  // backtracks: at most 400 characters
  // SQLite, Oracle, and the warehouses.
  // backtracks: at most 400 characters
  /\bAUTOINCREMENT\b|\bINSERT OR (?:REPLACE|IGNORE)\b|^[ \t]*PRAGMA\b|\bWITHOUT ROWID\b|^[ \t]*\.\w+/i,
  // backtracks: at most 400 characters
  /\bVARCHAR2\b|\bFROM DUAL\b|\bCONNECT BY\b|\(\+\)|\bROWNUM\b|^[ \t]*\/[ \t]*$|\bNVL2?\s?\(|\bMINUS\b|\bCREATE OR REPLACE (?:PACKAGE|PROCEDURE \w+ ?(?:\([^)]{0,400}\))? ?(?:IS|AS)\b)|\bDBMS_\w+/i,
  // backtracks: at most 400 characters
  /\bQUALIFY\b|\bSTRUCT<|\bARRAY<|\bUNNEST\(.{0,80}\) (?:AS )?\w+ WITH OFFSET|\bPARTITIONED BY\b|\bSTORED AS\b|\bLATERAL VIEW\b|\bCLUSTER(?:ED)? BY\b|\bSAFE_CAST\b|\bCREATE (?:OR REPLACE )?(?:STREAM|WAREHOUSE|STAGE)\b|\bASOF JOIN\b/i,
]

/** Whether SQL is in another dialect than PostgreSQL's, by what only others have. */
export function isOtherDialect(source: string): boolean {
  const bare = source.replace(/'[^']*'?|--[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g, (text) => (text.startsWith("'") ? "''" : ' '))
  return (bare.match(/.{1,400}/g) ?? []).some((line) => marks.some((mark) => mark.test(line)))
}
