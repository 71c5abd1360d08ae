import type { DraftField } from './define'

/** Names people give to form fields, by our field: words in lower case without anything between them, the most exact first. */
const NAMES: Record<DraftField, string> = {
  firstName: 'firstname first fname givenname contactfirstname customerfirstname',
  lastName: 'lastname last lname surname familyname contactlastname customerlastname',
  fullName: 'fullname name displayname contactname customername contact customer clientname homeownername callername',
  email:
    'email emailaddress mail emailid primaryemail workemail homeemail emailaddr contactemail customeremail replyto',
  phone:
    'phone phonenumber primaryphone primaryphonenumber mobile mobilephone mobilenumber mobilephonenumber cell cellphone ' +
    'cellnumber cellphonenumber tel telephone telephonenumber phone1 phoneno homephone homephonenumber daytimephone dayphone ' +
    'eveningphone workphone contactphone customerphone callernum callernumber bestphone bestphonenumber whatsapp whatsappnumber',
  address:
    'address street streetaddress address1 addressline1 addrline1 line1 street1 addressstreet serviceaddress projectaddress ' +
    'propertyaddress jobaddress siteaddress homeaddress fulladdress mailingaddress installaddress',
  city: 'city town addresscity locality citytown municipality projectcity servicecity propertycity homecity callercity',
  state:
    'state region province stateprovince provincestate stateregion addressstate statecode prov projectstate servicestate ' +
    'propertystate homestate callerstate',
  zipCode:
    'zip zipcode postalcode postcode postal zippostalcode zippostal postalzip zipcodepostalcode addresszip projectzip servicezip ' +
    'propertyzip homezip homezipcode projectzipcode propertyzipcode servicezipcode callerzip',
  leadSource:
    'leadsource source utmsource platform channel marketingsource howdidyouhearaboutus howdidyouhear howyouheardaboutus ' +
    'heardaboutus wheredidyouhearaboutus howdidyoufindus howdidyouheaboutus referrer',
  notes:
    'message notes note comments comment yourmessage description details projectdetails projectdescription question questions ' +
    'howcanwehelp howcanwehelpyou additionalinfo additionalinformation additionaldetails additionalcomments tellusmore ' +
    'tellusaboutyourproject describeyourproject inquiry request body text',
  externalId: 'externalid leadid id leadgenid submissionid entryid responseid eventuid eventid uuid',
  service:
    'service services servicetype projecttype servicerequested servicesrequested jobtype worktype category serviceneeded ' +
    'typeofproject typeofwork typeofservice serviceofinterest interestedin projectcategory taskname jobnames whatservicedoyouneed ' +
    'whichservicedoyouneed',
}

/** A field that a name means, and how exactly: a smaller rank wins. */
export type Meaning = { field: DraftField; rank: number }

const isField = (name: string): name is DraftField => name in NAMES
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.keys(NAMES)
    .filter(isField)
    .flatMap((field) => NAMES[field].split(' ').map((name, rank) => [name, { field, rank }] as const)),
)

/** The second lines of an address. */
const SECOND_LINES = new Set(
  'address2 addressline2 addrline2 line2 street2 streetaddress2 unit apartment apt suite unitnumber aptnumber'.split(
    ' ',
  ),
)

const LEADING = new Set(
  'and also your my the a what whats is s are please enter provide contact customer client homeowner lead applicant submitter caller best'.split(
    ' ',
  ),
)
const TRAILING = new Set('required optional here below field'.split(' '))

/** The length that is read, longer than any name of a field; the rest of a question does not change what it asks for. */
const LONGEST = 200

/** The words of a name: `yourEmail`, `your-email` and `Your Email *` are the same. Numbers of questions (`q3_`) are left out. */
export function wordsOf(label: string): string[] {
  const words = label
    .slice(0, LONGEST)
    .replace(/^q\d{1,4}_/, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word !== '')
}

/** The words without those that only ask: `What is your best phone number?` asks for a phone number. */
function core(words: string[]): string {
  let [from, to] = [0, words.length]
  while (to - from > 1 && TRAILING.has(words[to - 1] ?? '')) to--
  while (to - from > 1 && LEADING.has(words[from] ?? '')) from++
  return words.slice(from, to).join('')
}

/** Returns what a name means, as far as it is known. Ids count only by their exact name: a customer's id is not a lead's. */
export function meaningOf(words: string[]): Meaning | undefined {
  const exact = MEANINGS.get(words.join(''))
  if (exact) return exact
  const found = MEANINGS.get(core(words))
  return found?.field === 'externalId' ? undefined : found
}

export const isSecondLine = (words: string[]): boolean =>
  SECOND_LINES.has(words.join('')) || SECOND_LINES.has(core(words))

/** Ids of the submission itself, wherever they stand. Other ids inside of a body are ids of something else. */
const SUBMISSION_IDS = new Set('submissionid leadgenid eventuid'.split(' '))

export const isSubmissionId = (words: string[]): boolean => SUBMISSION_IDS.has(words.join(''))

/** Names of other people, and of what has people and addresses of its own: what stands inside is theirs. */
const OTHER_PARTIES = new Set(
  (
    'agent user users company business owner assignee assignedto assigned spouse partner brand account organization host organizer ' +
    'recipient salesperson rep technician employee staff team office store branch calendar tracker vendor contractor provider dealer ' +
    'eventmemberships scheduledevent meta metadata workflow attributionsource lastattributionsource triggerdata'
  ).split(' '),
)
/** Names of pages and the like, whose name is not the customer's although the answers may stand inside. */
const THINGS = new Set('form page campaign ad adset adgroup site website file product listing event source'.split(' '))
/** Names of the person whose lead it is, and of what only holds their answers. */
const OWN = new Set(
  (
    'contact lead customer client homeowner person consumer prospect applicant submitter caller data payload body fields formfields formdata ' +
    'answers responses questions values properties attributes submission formresponse rawrequest request customdata customfields ' +
    'fielddata usercolumndata name fullname address phone phones phonenumbers emails email hidden results record records entry content'
  ).split(' '),
)
/** What may be the customer's address, or the sender's own place. */
const LOCATIONS = new Set(['location', 'locations'])

/** Whose a value is by where it stands: the lead's own, the lead's as far as nothing says so better, or another's. */
export type Owner = 'own' | 'unclear' | 'thing' | 'location' | 'other'

/** Returns whose values a container has, by the names of all around a value, the outermost first. */
export function ownerOf(containers: string[]): Owner {
  const names = containers.map((name) => wordsOf(name).join(''))
  if (names.some((name) => OTHER_PARTIES.has(name))) return 'other'
  if (names.some((name) => LOCATIONS.has(name))) return 'location'
  const inner = names.findLast((name) => name !== '' && !OWN.has(name))
  const innermost = names.at(-1) ?? ''
  if (THINGS.has(innermost)) return 'thing'
  return inner === undefined || THINGS.has(inner) ? 'own' : 'unclear'
}

/** The most words of a field's name; more are a question, which may speak of others: `How can our team reach you?` */
const MOST_WORDS = 3

/** Reports whether a name says itself that its value is another's: `agent_email`, `Page name`, `What is the name of your company?` */
export const isOfOther = (words: string[]): boolean =>
  (words.length <= MOST_WORDS || words.includes('name')) &&
  words.some((word) => OTHER_PARTIES.has(word) || THINGS.has(word) || LOCATIONS.has(word))

/** Last words of names whose values are about the form, the page or the sender, and not the customer. */
const ABOUT_FORM = new Set(
  (
    'id ids uid uuid guid token nonce hash url uri link ip timestamp agent locale latitude longitude lat lng checksum signature at ' +
    'version ref tag wpnonce browser device'
  ).split(' '),
)
const ABOUT_AD = new Set('utm fbclid gclid msclkid gbraid wbraid wpcf7 hs is gad ga tracking hsa'.split(' '))
const ABOUT =
  /^(?:created|submitted|updated|received|date|time|datetime|timestamp)(?:time|at|on|by|date|datetime)?$|^(?:date|time)(?:created|submitted|updated|added)$|^(?:form|campaign|ad|adset|adgroup|page|site|listing|business|workflow|account|company|tracker)(?:name|title|type)$|^(?:useragent|remoteip|referer|referrer|action|method|object|type|event|eventtype|triggertype|status|language|timezone|submit|partial|honeypot|slug|pretty|partner|lifecyclestage|lastmodifieddate|createdate|contacttype|leadtype|leadfee|price|fee|cost)$/

/** Reports whether a name is about the form, the page or the ad: such values stay with the delivery and do not go to the notes. */
export function isAboutForm(label: string, words: string[]): boolean {
  return (
    label.startsWith('_') ||
    ABOUT_FORM.has(words.at(-1) ?? '') ||
    ABOUT_AD.has(words[0] ?? '') ||
    ABOUT.test(words.join(''))
  )
}
