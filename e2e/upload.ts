/** A file with a bad address in its second row, and names of strangers in the others. */
export const CUSTOMERS = [
  'Customer ID,Name,Email',
  'C1,Ana \u202eLopez,ana@example.com',
  'C2,Ben Okafor,not an address',
  'C3,Cy <b>Park</b>,cy@example.com',
].join('\n')
/** A file whose last row names a customer who is not there. */
export const PROJECTS = [
  'Project ID,Customer ID,Name,Status',
  'P1,C1,Roof,in_progress',
  'P3,C3,Deck,lead',
  'P9,C9,None,lead',
].join('\n')

/** Sends a file as the page does it. */
export const upload = (
  url: string,
  cookie: string,
  contractorId: string,
  body: string,
  origin = url,
  file = 'customers.csv',
) =>
  fetch(`${url}/data/load/files?${new URLSearchParams({ contractorId, file, draft: 'new' })}`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'text/csv' },
    body,
  })
