export { alertSettings, outgoingMessages } from './alerts'
export { auditEvents } from './audit'
export { clock } from './clock'
export { contractors } from './contractors'
export {
  chunkTerms,
  chunkVectors,
  DOCUMENT_TYPES,
  type DocumentType,
  documentChunks,
  documents,
  PUBLIC_OWNER,
  searchPostings,
  searchQueue,
  searchShelves,
  searchTerms,
  searchWords,
} from './documents'
export { estimates } from './estimates'
export { invoiceRecords } from './invoices'
export { apiKeys } from './keys'
export { jobCounters, leadDeliveries, leadSourceSecrets, leads } from './leads'
export { materialPrices, projectMaterials } from './materials'
export { mcpSessions } from './mcp-sessions'
export {
  invitations,
  members,
  people,
  personAccounts,
  personPasskeys,
  personSessions,
  personTwoFactors,
  personVerifications,
} from './people'
export { permitContractors, permitJurisdictions, permits } from './permits'
export { projects } from './projects'
export { keyAddresses, requestLog, requestSums } from './request-log'
export { savedFilters } from './saved-filters'
export { serviceChecks } from './service-checks'
export { revenueTransactions, TRANSACTION_TYPES, type TransactionType } from './transactions'
export { users } from './users'
