import { type Source, STATE_SOURCES } from './sources-states'

/** Sources of rules: municipal pages, and pages that explain the model code. The code itself is copyrighted, so its text is not copied. */
export const SOURCES = {
  ircExempt: {
    title: 'Jaspector, IRC 2021 R105.2: work exempt from permit (what the section lists)',
    link: 'https://www.jaspector.com/codes/irc-2021/ch01-scope-administration/work-exempt-from-building-permit/',
  },
  ircRequired: {
    title: 'OpenExamPrep, ICC residential inspector: R105 to R110 in order (permits, documents, inspections)',
    link: 'https://open-exam-prep.com/study-guides/icc-residential/code-administration/code-administration-core-workflows',
  },
  ircElectrical: {
    title: 'Village of Oak Brook, Required & Not Required: R105.2 as amended there, its electrical items',
    link: 'http://www.oak-brook.org/269/Required-Not-Required',
  },
  ircElectrical2009: {
    title: 'The Building Code Forum: electrical items of R105.2 as added in the 2009 IRC (25 volts, 50 watts)',
    link: 'https://thebuildingcodeforum.com',
  },
  ircTrades: {
    title: 'City of Richmond Heights, Ohio, codified ordinances: gas, mechanical and plumbing work without approval',
    link: 'https://codelibrary.amlegal.com/codes/richmondhts/latest/richmondhts_oh/0-0-0-27476',
  },
  ircPlumbing: {
    title: 'City of Yorba Linda, Plumbing Projects: leaks, stoppages and reinstalled fixtures',
    link: 'https://www.yorbalindaca.gov/485/Plumbing-Projects',
  },
  ircRepairs: {
    title: 'Town of Bedford, New Hampshire, House Repairs & Non-Permit Work: how ordinary repairs (105.2.2) are read',
    link: 'https://bedfordnh.org/200/House-Repairs-Non-Permit-Work',
  },
  ircInspections: {
    title: 'City of Bluefield, West Virginia, Required Inspections under IRC R109',
    link: 'https://www.bluefieldwv.gov/codeenforcement/page/required-inspections',
  },
  nashvilleFence: {
    title: 'Metro Nashville Codes, Building Permits Central: Fence',
    link: 'https://nashville.gov/departments/codes/construction-and-permits/building-permits-central/fence',
  },
  nashvilleAccessory: {
    title: 'Metro Nashville Codes, Building Permits Central: Accessory Structure Permitting Instructions',
    link: 'https://nashville.gov/departments/codes/construction-and-permits/building-permits-central/accessory-structure-permitting-instructions',
  },
  nashvilleAddition: {
    title: 'Metro Nashville Codes, Building Permits Central: Addition to a Single Family Residence',
    link: 'https://nashville.gov/departments/codes/construction-and-permits/building-permits-central/addition-single-family-residence',
  },
  nashvillePool: {
    title: 'Metro Nashville Codes, Building Permits Central: Pool Permitting',
    link: 'https://nashville.gov/departments/codes/construction-and-permits/building-permits-central/pool-permitting',
  },
  nashvilleProcess: {
    title: 'Metro Nashville Codes, Building Permit Process',
    link: 'https://nashville.gov/departments/codes/construction-and-permits/building-permit-process',
  },
  nashvilleEdition: {
    title: 'Metro Nashville Council, ordinance BL2020-458 (passed 2020-11-05): updated building codes',
    link: 'https://nashville.legistar.com/LegislationDetail.aspx?FullText=1&GUID=A3ECC329-CD3E-446B-8127-C9707DCE7052&ID=4654718',
  },
  springfield: {
    title: 'City of Springfield, Tennessee, Do I need a Permit?',
    link: 'https://www.springfieldtn.gov/747/Do-I-need-a-Permit',
  },
  springfieldPermitting: {
    title: 'City of Springfield, Tennessee, Permitting',
    link: 'https://www.springfieldtn.gov/416/Permitting',
  },
  portlandHome: {
    title: 'City of Portland, Oregon, Do You Need a Permit for Your Home Project?',
    link: 'https://www.portland.gov/ppd/residential-permitting/do-you-need-permit/residential-permits',
  },
  portlandWho: {
    title: 'City of Portland, Oregon, Do You Need a Permit for Your Home Repair or Home Remodeling Project?',
    link: 'https://www.portland.gov/bds/residential-permitting/do-you-need-permit/residential-permits',
  },
  portlandOutdoor: {
    title: 'City of Portland, Oregon, Residential Fences, Decks and Outdoor Projects',
    link: 'https://www.portland.gov/ppd/residential-permitting/b3-residential-fences-decks-outdoor-projects',
  },
  portlandBrochure: {
    title: 'City of Portland, Oregon, Do You Need a Permit for Your Residential Project? (Brochure 2)',
    link: 'https://www.portland.gov/bds/do-you-need-permit/residential-permits',
  },
  portlandTrades: {
    title: 'City of Portland, Oregon, Electrical, Mechanical and Plumbing Work and Permit Types',
    link: 'https://www.portland.gov/bds/do-you-need-permit/trade-permits',
  },
  ircEmergency: {
    title: 'La Paz County, Arizona, code sections 105.2.1 (emergency repairs) and 105.2.2 (ordinary repairs)',
    link: 'https://www.co.la-paz.az.us/FAQ.aspx?QID=117',
  },
  ircRepairsText: {
    title: 'UpCodes, 105.2.2 Repairs: what an ordinary repair does not include (piping, wiring, structure)',
    link: 'https://up.codes/s/repairs',
  },
  shedsDiffer: {
    title: 'Knoxville, Tennessee, frequently asked questions: exempt work, sheds up to 120 ft2 and fences up to 7 ft',
    link: 'https://permits.knoxvilletn.gov/Policies-FAQs-and-Fast-Facts/Frequently-Asked-Questions',
  },
  fencesDiffer: {
    title: 'Washougal, Washington, when a permit is needed: fences up to 6 ft and sheds up to 120 ft2 are exempt',
    link: 'https://cityofwashougal.us/FAQ.aspx?QID=116',
  },
  gradingDiffer: {
    title: 'Fullerton, California, amendment to section J103.2 of the 2022 building code: grading up to 50 yd3',
    link: 'https://codelibrary.amlegal.com/codes/fullerton/latest/fullerton_ca/0-0-0-35309',
  },
  grading: {
    title: 'UpCodes, section J103 of the California Building Code 2016: grading permits required and exempt',
    link: 'https://up.codes/s/permits-required',
  },
  woodburn: {
    title: 'Woodburn, Oregon, Building Permit Questions and Answers',
    link: 'https://woodburn-or.gov/dev-building/page/building-permit-questions-and-answers',
  },
  hotTubs: {
    title: 'Orland Park, Illinois, Hot Tubs and Spas: a permit and a separate electrical permit',
    link: 'https://orlandpark.org/departments/development-services/permits-licenses-inspections/permits/hot-tubs-spas',
  },
  ...STATE_SOURCES,
} satisfies Record<string, Source>

export type SourceKey = keyof typeof SOURCES
