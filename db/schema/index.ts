export { alertSettings, outgoingMessages } from './alerts'
export { auditEvents } from './audit'
export { changeBase, changeHeads, changeQueue, changes, changeTotals, clock } from './changes'
export {
  type ConnectorCounts,
  connectorAttempts,
  connectorLinks,
  connectorRuns,
  connectors,
  type WalkCursor,
} from './connectors'
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
export { projectEntries } from './entries'
export { estimates } from './estimates'
export { invoiceRecords } from './invoices'
export { jobRuns } from './job-runs'
export { apiKeys } from './keys'
export { jobCounters, leadDeliveries, leadSourceSecrets, leads } from './leads'
export { earlierLoads, loadImages, loadJournals, loadMappings, loadParts, loads, loadUploads } from './loads'
export { materialPrices, projectMaterials } from './materials'
export { mcpQuestions, mcpSessions } from './mcp-sessions'
export {
  connectionPolicies,
  oauthAccessTokens,
  oauthClientAssertions,
  oauthClientResources,
  oauthClients,
  oauthGrants,
  oauthKeys,
  oauthRefreshTokens,
  oauthResources,
} from './oauth'
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
export {
  dataFreshness,
  loadDraftFiles,
  loadDraftParts,
  loadDrafts,
  SOURCE_KINDS,
  scheduledSources,
  sourceMails,
  sourceRuns,
} from './sources'
export { ssoIdentities, ssoProviders } from './sso'
export { statusChanges } from './status-changes'
export { revenueTransactions, TRANSACTION_TYPES, type TransactionType } from './transactions'
export { users } from './users'
export { type WebhookAttempt, webhookDeliveries, webhookEndpoints } from './webhooks'
export { workInHand } from './work-in-hand'
