import {
  currency,
  day,
  email,
  type FileKind,
  itemKey,
  LONGEST_CELL,
  moment,
  money,
  oneOf,
  phone,
  price,
  quantity,
  reference,
  text,
  unit,
} from './columns'

const ADDRESS: FileKind['columns'][number][] = [
  { field: 'address', headers: ['Address', 'Street', 'Street Address'], read: text(300) },
  { field: 'city', headers: ['City', 'Town'], read: text(100) },
  { field: 'state', headers: ['State'], read: text(50) },
  { field: 'zip', headers: ['ZIP', 'Zip Code', 'Postal Code'], read: text(20) },
]
const CREATED: FileKind['columns'][number] = {
  field: 'createdAt',
  headers: ['Created', 'Created At', 'Date Created'],
  read: moment,
}

/** customers.csv */
export const CUSTOMERS: FileKind = {
  file: 'customers.csv',
  table: 'users',
  columns: [
    { field: 'reference', headers: ['Customer ID', 'Customer Number', 'Client ID'], required: true, read: reference },
    { field: 'name', headers: ['Name', 'Customer Name', 'Full Name'], required: true, read: text(300) },
    { field: 'email', headers: ['Email', 'E-mail Address'], read: email },
    { field: 'phone', headers: ['Phone', 'Phone Number', 'Mobile'], read: phone },
    ...ADDRESS,
    CREATED,
  ],
}

const PROJECT_STATUSES = {
  lead: ['new', 'prospect'],
  estimate: ['estimated', 'quote', 'quoted', 'proposal', 'bid'],
  scheduled: ['approved', 'booked', 'sold'],
  in_progress: ['active', 'started', 'underway', 'open'],
  on_hold: ['hold', 'paused'],
  completed: ['complete', 'done', 'closed', 'finished'],
  cancelled: ['canceled', 'lost', 'declined'],
}

/** projects.csv */
export const PROJECTS: FileKind = {
  file: 'projects.csv',
  table: 'projects',
  columns: [
    {
      field: 'reference',
      headers: ['Project ID', 'Project Number', 'Job ID', 'Job Number'],
      required: true,
      read: reference,
    },
    { field: 'customer', headers: ['Customer ID', 'Customer Number', 'Client ID'], required: true, read: reference },
    { field: 'name', headers: ['Name', 'Project Name', 'Job Name'], required: true, read: text(300) },
    { field: 'status', headers: ['Status'], read: oneOf(PROJECT_STATUSES) },
    { field: 'totalAmount', headers: ['Total Amount', 'Total', 'Contract Amount'], read: money },
    ...ADDRESS,
    { field: 'description', headers: ['Description', 'Scope', 'Notes'], read: text(LONGEST_CELL) },
    { field: 'startDate', headers: ['Start Date', 'Start'], read: day },
    { field: 'endDate', headers: ['End Date', 'End'], read: day },
    CREATED,
  ],
}

/** invoices.csv */
export const INVOICES: FileKind = {
  file: 'invoices.csv',
  table: 'analytics_invoice_records',
  columns: [
    { field: 'reference', headers: ['Invoice Number', 'Invoice ID', 'Invoice'], required: true, read: reference },
    {
      field: 'project',
      headers: ['Project ID', 'Project Number', 'Job ID', 'Job Number'],
      required: true,
      read: reference,
    },
    { field: 'amount', headers: ['Amount', 'Total', 'Invoice Amount'], required: true, read: money },
    { field: 'currency', headers: ['Currency'], read: currency },
    { field: 'date', headers: ['Date', 'Invoice Date'], required: true, read: moment },
    { field: 'dueDate', headers: ['Due Date', 'Due'], read: moment },
    { field: 'settledAt', headers: ['Paid Date', 'Date Paid', 'Paid On'], read: moment },
    CREATED,
  ],
}

const METHODS = {
  card: ['credit card', 'debit card', 'debit', 'cc', 'visa', 'mastercard', 'amex', 'american express', 'discover'],
  ach: ['ach transfer', 'bank transfer', 'eft', 'direct deposit', 'echeck'],
  check: ['cheque', 'chk'],
  cash: [],
  wire: ['wire transfer'],
  other: [],
}
const TYPES = { payment_received: ['payment', 'received'], refund: ['refunded'], adjustment: ['adjust', 'credit'] }

/** payments.csv */
export const PAYMENTS: FileKind = {
  file: 'payments.csv',
  table: 'analytics_revenue_transactions',
  oneOf: ['project', 'invoice'],
  columns: [
    {
      field: 'reference',
      headers: ['Payment ID', 'Payment Number', 'Transaction ID'],
      required: true,
      read: reference,
    },
    { field: 'project', headers: ['Project ID', 'Project Number', 'Job ID', 'Job Number'], read: reference },
    { field: 'invoice', headers: ['Invoice Number', 'Invoice ID', 'Invoice'], read: reference },
    { field: 'amount', headers: ['Amount', 'Total'], required: true, read: money },
    { field: 'currency', headers: ['Currency'], read: currency },
    { field: 'date', headers: ['Date', 'Payment Date'], required: true, read: moment },
    { field: 'method', headers: ['Method', 'Payment Method'], read: oneOf(METHODS) },
    { field: 'externalReference', headers: ['Reference', 'Check Number', 'Transaction Reference'], read: text(200) },
    { field: 'type', headers: ['Type', 'Transaction Type'], read: oneOf(TYPES) },
    CREATED,
  ],
}

/** materials.csv: the price book, a line for each price seen. */
export const MATERIALS: FileKind = {
  file: 'materials.csv',
  table: 'material_prices',
  identity: ['item', 'unit', 'supplier', 'region', 'date'],
  columns: [
    { field: 'item', headers: ['Item', 'Item Key', 'SKU', 'Item Number'], required: true, read: itemKey },
    { field: 'name', headers: ['Name', 'Item Name', 'Description'], required: true, read: text(300) },
    { field: 'trade', headers: ['Trade', 'Category'], read: text(100) },
    { field: 'unit', headers: ['Unit', 'UOM', 'Unit of Measure'], required: true, read: unit },
    { field: 'unitCost', headers: ['Unit Cost', 'Unit Price', 'Price', 'Cost'], required: true, read: price },
    { field: 'currency', headers: ['Currency'], read: currency },
    { field: 'supplier', headers: ['Supplier', 'Vendor'], read: text(200) },
    { field: 'date', headers: ['Date', 'Price Date', 'Observed', 'As Of'], required: true, read: day },
    { field: 'region', headers: ['Region', 'Market'], read: text(100) },
  ],
}

/** project-materials.csv: what each project takes, a line for each item. */
export const PROJECT_MATERIALS: FileKind = {
  file: 'project-materials.csv',
  table: 'project_materials',
  identity: ['project', 'item', 'unit'],
  columns: [
    {
      field: 'project',
      headers: ['Project ID', 'Project Number', 'Job ID', 'Job Number'],
      required: true,
      read: reference,
    },
    { field: 'item', headers: ['Item', 'Item Key', 'SKU', 'Item Number'], required: true, read: itemKey },
    { field: 'quantity', headers: ['Quantity', 'Qty'], required: true, read: quantity },
    { field: 'unit', headers: ['Unit', 'UOM', 'Unit of Measure'], read: unit },
    { field: 'name', headers: ['Name', 'Item Name', 'Description'], read: text(300) },
  ],
}
