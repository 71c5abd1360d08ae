import { listPasskeys, removePasskey, renamePasskey } from './account/passkeys'
import { resetPassword } from './account/reset-password'
import { endSession, listSessions } from './account/sessions'
import { getAlerts, setAlerts, testAlerts } from './alerts/alerts'
import { listAudit } from './audit/list-audit'
import { browseTransactions } from './browse-transactions'
import { checksums } from './changes/checksum'
import { listChanges } from './changes/list-changes'
import { endConnection, endConnectionsOf } from './connections/end-connections'
import { limitConnections } from './connections/limit-connections'
import { listConnections } from './connections/list-connections'
import { beginConnector, finishConnector } from './connectors/connect'
import { getConnector } from './connectors/get-connector'
import { disconnectConnector, syncConnector } from './connectors/manage'
import { removeConnectorRecords } from './connectors/remove-records'
import { createContractor, listContractors } from './contractors/contractors'
import { getContractor } from './contractors/get-contractor'
import { changeContractor, getContractorSettings } from './contractors/settings'
import { createLead } from './create-lead'
import { findSimilarCustomers, joinCustomers, separateCustomers } from './customers'
import type { AnyOperation } from './define'
import { getLeadDelivery, listLeadDeliveries, replayLeadDelivery } from './deliveries'
import { writeDemoConnections } from './demonstration/connections'
import { advanceDemoLead, reserveDemoDocument, reserveDemoRecords } from './demonstration/demonstration'
import { writeDemoChecks, writeDemoPast } from './demonstration/past'
import { viewCustomer } from './desk/view-customer'
import { viewInvoice, viewPayment } from './desk/view-invoice'
import { viewLead, viewProject } from './desk/view-project'
import { views } from './desk/view-record'
import { addProjectNote } from './entries/add-project-note'
import { listEntries } from './entries/list-entries'
import { setLeadFollowUp } from './entries/set-lead-follow-up'
import { undoEntry } from './entries/undo-entry'
import { recordExports } from './exports/export-records'
import { getRecord } from './get-record'
import { getHealth } from './health'
import { changeKey, revokeKey, rotateKey } from './keys/change-keys'
import { createKey } from './keys/create-key'
import { issueExplorerKey } from './keys/issue-explorer-key'
import { listKeys } from './keys/list-keys'
import { getLead, separateLead, updateCustomerFromLead } from './lead-person'
import { listLeadSecrets, removeLeadSecret, setLeadSecret } from './lead-secrets'
import { listLeads } from './list-leads'
import { addDraftFile, dropDraftFile, getRefusedRows, inspectDraft, loadDraft } from './loads/draft'
import { inspectFiles } from './loads/inspect-files'
import { getLoad, listLoads } from './loads/list-loads'
import { loadDocuments } from './loads/load-documents'
import { loadFile } from './loads/load-file'
import { loadFolder, loadUpload } from './loads/load-folder'
import { loadPermits } from './loads/load-permits'
import { getLastLoad, undoLoad } from './loads/undo-load'
import { estimateTakeoff } from './materials/estimate-takeoff'
import { priceProject } from './materials/price-project'
import { searchMaterials } from './materials/search-materials'
import { getMetadata } from './metadata'
import { countWaiting } from './overview/count-waiting'
import { getBusinessOverview } from './overview/get-business-overview'
import { getOverview } from './overview/get-overview'
import { analyzeProjectPermits } from './permits/analyze-project-permits'
import { checkPermitRequirements } from './permits/check-permit-requirements'
import { estimatePermitTimeline } from './permits/estimate-permit-timeline'
import { getPermitCoverage } from './permits/get-permit-coverage'
import { searchPermits } from './permits/search-permits'
import { receiveLead } from './receive-lead'
import { records } from './records'
import { getCashFlow } from './reports/cash-flow'
import { getJobs } from './reports/get-jobs'
import { getLeadPerformance } from './reports/lead-performance'
import { listOpenInvoices } from './reports/list-open-invoices'
import { getProjectFinancials } from './reports/project-financials'
import { getProjectOverview } from './reports/project-overview'
import { getReceivablesAging } from './reports/receivables-aging'
import { getRecentActivity } from './reports/recent-activity'
import { getRevenueSummary } from './reports/revenue-summary'
import { getUnbilledWork } from './reports/unbilled-work'
import { listKeyNames } from './requests/key-names'
import { exportRequests, getRequest, listKeylessRequests, listRequests, tailRequests } from './requests/log'
import { deleteFilter, listSavedFilters, saveFilter } from './requests/saved-filters'
import { getRequestStats } from './requests/stats'
import { getUsage, listKeyAddresses, listKeyUsage } from './requests/usage'
import { findRecords } from './search/find-records'
import { fetch, search } from './search/for-connectors'
import { ragSearch } from './search/rag-search'
import { readDocument } from './search/read-document'
import { changeSource, pauseSource, removeSource } from './sources/change-source'
import { createSource } from './sources/create-source'
import { listSourceRuns, listSources } from './sources/list-sources'
import { runSource } from './sources/run-source'
import { getSso, removeSso, requireSso, setSso } from './sso/sso'
import { getStatus } from './status/get-status'
import { addMember } from './team/add-member'
import { changeRole } from './team/change-role'
import {
  acceptInvitation,
  getInvitation,
  inviteMember,
  joinWithAccount,
  resendInvitation,
  withdrawInvitation,
} from './team/invitations'
import { listTeam } from './team/list-team'
import { getMemberSetup } from './team/member-setup'
import { removeMember } from './team/remove-member'
import { tryLead } from './try-lead'
import { changeWebhook } from './webhooks/change-webhook'
import { createWebhook } from './webhooks/create-webhook'
import { deleteWebhook } from './webhooks/delete-webhook'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhook,
  replayWebhookDelivery,
  testWebhook,
} from './webhooks/deliveries'
import { getWebhook, listWebhooks } from './webhooks/list-webhooks'
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret'

/** The operations of the service. One that is not here has no route, no document entry and no tool. */
export const operations = {
  getMetadata,
  getContractor,
  ...records,
  browseTransactions,
  listChanges,
  ...checksums,
  ...recordExports,
  listWebhooks,
  getWebhook,
  createWebhook,
  changeWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  listLoads,
  getLoad,
  loadFile,
  inspectFiles,
  addDraftFile,
  dropDraftFile,
  inspectDraft,
  loadDraft,
  getRefusedRows,
  listLeads,
  getRecord,
  getProjectOverview,
  createLead,
  receiveLead,
  addProjectNote,
  setLeadFollowUp,
  listEntries,
  undoEntry,
  listLeadDeliveries,
  getLeadDelivery,
  replayLeadDelivery,
  tryLead,
  getLead,
  updateCustomerFromLead,
  separateLead,
  getProjectFinancials,
  getReceivablesAging,
  listOpenInvoices,
  viewCustomer,
  viewInvoice,
  viewPayment,
  viewProject,
  ...Object.fromEntries([...views.values()].map((view) => [view.name, view])),
  viewLead,
  getOverview,
  getBusinessOverview,
  countWaiting,
  getCashFlow,
  getRevenueSummary,
  getUnbilledWork,
  getJobs,
  getRecentActivity,
  getLeadPerformance,
  estimateTakeoff,
  searchMaterials,
  priceProject,
  searchPermits,
  getPermitCoverage,
  estimatePermitTimeline,
  checkPermitRequirements,
  analyzeProjectPermits,
  ragSearch,
  readDocument,
  findRecords,
  search,
  fetch,
  listRequests,
  getRequest,
  tailRequests,
  listKeylessRequests,
  exportRequests,
  getRequestStats,
  listSavedFilters,
  saveFilter,
  deleteFilter,
  listKeys,
  createKey,
  rotateKey,
  changeKey,
  revokeKey,
  issueExplorerKey,
  createContractor,
  listContractors,
  findSimilarCustomers,
  joinCustomers,
  separateCustomers,
  getContractorSettings,
  changeContractor,
  listLeadSecrets,
  setLeadSecret,
  removeLeadSecret,
  loadFolder,
  loadUpload,
  getLastLoad,
  undoLoad,
  listSources,
  listSourceRuns,
  createSource,
  changeSource,
  pauseSource,
  removeSource,
  runSource,
  loadPermits,
  loadDocuments,
  reserveDemoRecords,
  reserveDemoDocument,
  advanceDemoLead,
  writeDemoChecks,
  writeDemoConnections,
  writeDemoPast,
  listAudit,
  getConnector,
  beginConnector,
  finishConnector,
  disconnectConnector,
  removeConnectorRecords,
  syncConnector,
  listConnections,
  endConnection,
  endConnectionsOf,
  limitConnections,
  listTeam,
  getMemberSetup,
  inviteMember,
  addMember,
  changeRole,
  removeMember,
  resendInvitation,
  getSso,
  setSso,
  requireSso,
  removeSso,
  withdrawInvitation,
  getInvitation,
  acceptInvitation,
  joinWithAccount,
  resetPassword,
  listSessions,
  endSession,
  listPasskeys,
  renamePasskey,
  removePasskey,
  getUsage,
  listKeyUsage,
  listKeyAddresses,
  listKeyNames,
  getAlerts,
  setAlerts,
  testAlerts,
  getHealth,
  getStatus,
} satisfies Record<string, AnyOperation>
