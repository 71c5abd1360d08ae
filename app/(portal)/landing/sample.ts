/** A response with the demonstration's data. */
const SAMPLE_ANSWER = {
  apiVersion: 'v1',
  items: [
    {
      id: 'inv_prj_01m7yrjgtp6fkn405s09prans2_1680480000000',
      projectId: 'prj_01m7yrjgtp6fkn405s09prans2',
      contractorId: 'con_01m7yrjg8f9856pp4hv4h8ahyk',
      customerId: 'cus_01m7yrjgfx8yd9q7r7e399d4ha',
      number: '23-0011-1',
      amount: 1704.11,
      currency: 'USD',
      date: '2023-04-03T00:00:00.000Z',
      dueDate: '2023-04-03T00:00:00.000Z',
      status: 'overdue',
      createdAt: '2023-04-03T00:00:00.000Z',
      updatedAt: '2026-11-21T09:56:34.407Z',
    },
  ],
  nextPageToken: 'eyJhdCI6IjIwMjYtMTEtMjFUMDk6NTY6MzQuNDA3WiIs…',
}

/**
 * Returns an API call and its response as a terminal shows them. A test sends the same request to the demonstration and compares
 * names and types. Only the token is shortened.
 * @param api the base URL of the data API, as clients reach it
 */
export const terminalSample = (api: string) => `$ curl -G ${api}/invoices \\
    -d status=overdue -d limit=1 \\
    -H "x-api-key: $PLUMBLINE_KEY" | jq

${JSON.stringify(SAMPLE_ANSWER, null, 2)}`
