"use strict";

/* The page: what it says in English and Arabic, and how a file becomes a verdict. The checks are in verify.js. */

const PAGE_TEXTS = {
  en: {
    heading: "Check a match of Baloot",
    intro: "Choose the proof file of a match. It is checked on this device, and nothing of it leaves the device.",
    file: "Proof file",
    drop: "You can also drop the file here.",
    noted: "What you noted while you played",
    pins: "Chain values, one a line",
    pinsHint:
      "SEQUENCE:CHAIN, for example the number 42, a colon, and 64 hexadecimal digits. One that was noted before a seed " +
      "was sent shows that the deals stood before it.",
    seeds: "Seeds that you sent, one a line",
    seedsHint: "SEAT=SEED: south, east, north or west, an equals sign, and 64 hexadecimal digits",
    beacon: "Value of the beacon, as its public source tells it",
    beaconHint: "64 hexadecimal digits; leave it empty where the match has no beacon",
    again: "Check again",
    facts: "What is proved",
    gaps: "What is not proved by this",
    mistyped: "This line cannot be read: {line}",
    none: "none",
    other: "العربية",
  },
  ar: {
    heading: "تحقّق من مباراة بلوت",
    intro: "اختر ملف إثبات المباراة. يجري التحقق على هذا الجهاز، ولا يخرج منه شيء.",
    file: "ملف الإثبات",
    drop: "يمكنك أيضًا إفلات الملف هنا.",
    noted: "ما سجّلته أثناء اللعب",
    pins: "قيم السلسلة، واحدة في كل سطر",
    pinsHint:
      "الرقم ثم نقطتان ثم 64 خانة ست عشرية. القيمة التي سُجّلت قبل إرسال البذرة تبيّن أن التوزيعات ثبتت قبلها.",
    seeds: "البذور التي أرسلتها، واحدة في كل سطر",
    seedsHint: "المقعد south أو east أو north أو west ثم علامة يساوي ثم 64 خانة ست عشرية",
    beacon: "القيمة العامة كما يذكرها مصدرها المعلن",
    beaconHint: "64 خانة ست عشرية؛ اتركها فارغة إن لم تكن للمباراة قيمة عامة",
    again: "تحقّق مرة أخرى",
    facts: "ما ثبت",
    gaps: "ما لا يثبته هذا",
    mistyped: "لا يمكن قراءة هذا السطر: {line}",
    none: "لا أحد",
    other: "English",
  },
};

const ARABIC_SEATS = { South: "الجنوب", East: "الشرق", North: "الشمال", West: "الغرب" };

const ARABIC = {
  TITLES: {
    verified: "سليم: الأوراق هي ما التُزم به، ولم يغيّر أحد ورقة.",
    refused: "مرفوض: هذا السجل غير متماسك.",
    unreadable: "غير مقروء: لم يمكن التحقق من شيء.",
    unproved: "غير قابل للإثبات: لا شيء منقوض، لكن السجل لا يحوي ما يثبته.",
  },
  REASONS: {
    UNREADABLE: "هذا ليس ملف إثبات يمكن قراءته: {what}",
    ENTRY_MISSING: "القيد {expected} مفقود، وفي مكانه القيد {entry}.",
    CHAIN_WRONG: "القيد {entry} ليس ما صُنعت منه السلسلة.",
    PIN_WRONG: "قيمة السلسلة التي سُجّلت عند القيد {entry} ليست قيمة هذا السجل.",
    BEGIN_WRONG: "القيد {entry} لا يفتح الطاولة كما يبدأ كل سجل.",
    EVENT_MISPLACED: "القيد {entry} يكمل توزيعة ولا توزيعة جارية.",
    END_MISSING: "يقال إن السجل كامل، وهو لا يذكر كيف انتهت المباراة.",
    AFTER_END: "القيد {entry} يبدأ التوزيعة {deal} بعد انتهاء المباراة.",
    DEAL_EARLY: "القيد {entry} يبدأ التوزيعة {deal} قبل أن تبدأ المباراة.",
    COMMITMENT_MISSING: "تبدأ التوزيعة {deal} في القيد {entry} دون التزام قبلها.",
    COMMITMENT_LATE: "القيد {entry} يلتزم بالتوزيعة {deal} بعد أن بدأت.",
    COMMITMENT_WRONG: "للتوزيعة {deal} في القيد {entry} التزام غير الذي قُطع لها.",
    BLOCK_WRONG: "القيد {entry} يلتزم بالتوزيعات من {deal}، والتالية هي {expected}.",
    SEED_EARLY: "في القيد {entry} يضيف {seat} بذرة إلى توزيعات لم يلتزم بها أحد.",
    SEED_LATE: "في القيد {entry} يضيف {seat} بذرة إلى توزيعات بدأت أو عُرفت قيمتها العامة.",
    SEED_AFTER_TIME: "في القيد {entry} يضيف {seat} بذرة وقد تكون القيمة العامة معلنة.",
    SEED_TWICE: "في القيد {entry} يضيف {seat} بذرة ثانية إلى التوزيعات نفسها.",
    SEED_UNFIT: "في القيد {entry} يضيف {seat} بذرة ليست بطول 32 بايتًا.",
    OWN_SEED_MISSING: "البذرة التي أرسلها {seat} لم تُضف إلى أي توزيعة.",
    BEACON_MISSING: "تبدأ التوزيعة {deal} في القيد {entry} قبل إعطاء القيمة العامة.",
    BEACON_EARLY: "القيد {entry} يعطي القيمة العامة قبل أي التزام.",
    BEACON_UNEXPECTED: "القيد {entry} يعطي قيمة عامة في غير محلها.",
    BEACON_BEFORE_TIME: "القيد {entry} يعطي القيمة العامة قبل موعد إعلانها.",
    BEACON_WRONG: "القيمة العامة في هذا السجل {value}، وليست القيمة التي رُجع إليها.",
    BEACON_ABSENT: "رُجع إلى قيمة عامة، وإعدادات هذه المباراة لا تسمّي أي قيمة.",
    NUMBER_WRONG: "القيد {entry} يبدأ التوزيعة {deal}، والتالية هي {expected}.",
    DEAL_UNFINISHED: "التوزيعة {deal} لم تُحسب ولم تُلغَ حين بدأ القيد {entry} التالية.",
    VOID_WRONG: "التوزيعة {deal} تُعدّ ملغاة في القيد {entry} بعد أن استقر الشراء.",
    KAWESH_UNSHOWN: "كوش {seat} في القيد {entry} لا يكشف يدًا، وينهي التوزيعة {deal}.",
    CUT_WRONG: "قصّ التوزيعة {deal} في القيد {entry} لا يوافق كيف فُتحت.",
    DEALER_WRONG: "{seat} يوزع التوزيعة {deal} في القيد {entry}، والدور على {expected}.",
    REVEAL_MISSING: "بذرة التوزيعة {deal} لم تُكشف في القيد {entry} حيث يجب.",
    REVEAL_EARLY: "بذرة التوزيعة {deal} كُشفت في القيد {entry} قبل انتهائها.",
    REVEAL_WRONG: "القيد {entry} يكشف بذرة التوزيعة {deal}، والتالية هي {expected}.",
    SEED_WRONG: "البذرة التي كُشفت للتوزيعة {deal} لا تفتح التزامها.",
    ROOT_WRONG: "جذر التوزيعة {deal} ليس جذر الأوراق التي تصنعها بذورها والقيمة العامة.",
    LOT_WRONG: "{seat} يوزع أولًا، والقرعة وقعت على {expected}.",
    UP_CARD_WRONG: "المشترى في التوزيعة {deal} ليس الذي في أوراقها.",
    HAND_WRONG: "يد {seat} التي كُشفت في القيد {entry} ليست التي وُزعت له في التوزيعة {deal}.",
    CARD_WRONG: "ورقة {seat} في القيد {entry} لم توزع له في التوزيعة {deal}.",
    CARD_TWICE: "ورقة {seat} في القيد {entry} لُعبت من قبل في التوزيعة {deal}.",
    TRICK_WRONG: "الأكلة في القيد {entry} ليست من آخر أربع أوراق في التوزيعة {deal}.",
    PROJECT_WRONG: "في مشروع {seat} في القيد {entry} أوراق لم توزع له في التوزيعة {deal}.",
    SAWA_WRONG: "أوراق سوا {seat} في القيد {entry} ليست ما بقي له في التوزيعة {deal}.",
  },
  FACTS: {
    CHECKED:
      "{deals} توزيعات هي ما تصنعه بذورها: {played} لُعبت، {thrown_in} ورق، {kawesh} انتهت بكوش، " +
      "{reshuffled} أعيد خلطها، {broken_off} قُطعت.",
    SEEDS: "التوزيعات {first} إلى {last}: المقاعد التي أضافت بذرة: {added}؛ والتي لم تضف: {absent}.",
    BEACON: "أُعطيت القيمة العامة في القيد {entry} في {at}، قبل التوزيعة الأولى، وبعد الالتزام بالتوزيعات 1 إلى {last}: {value}، باسم «{name}».",
    BEACON_SEEDS: "آخر بذرة أضافها مقعد قبل القيمة العامة قُبلت في {at}.",
    BEACON_TIME: "قد تُعلن القيمة العامة من {at}: لم تُعطَ قبل ذلك، ولم تُضف منذ ذلك الحين بذرة إلى تلك التوزيعات.",
    BEACON_COMPARED: "القيمة العامة هي التي رُجع إليها.",
    PINS: "{count} من قيم السلسلة المسجّلة هي قيم هذا السجل.",
    OWN_SEED: "البذرة التي أرسلها {seat} دخلت في التوزيعات {first} إلى {last}.",
  },
  GAPS: {
    NO_CHAIN: "السجل أقدم من السلسلة: لا شيء يبيّن أنه كامل وأنه لم يُكتب من جديد.",
    NO_COMMITMENTS: "التوزيعات {deals}: لم يلتزم بها أحد قبل توزيعها.",
    NO_DEALS: "لا توجد توزيعة يمكن التحقق منها.",
    NOT_OVER: "المباراة لم تنته بحسب هذا الملف: ما يلي لم يُتحقق منه.",
    NOT_REVEALED: "التوزيعات {deals}: لم تُكشف بذرتها بعد.",
    NO_SEEDS: "التوزيعات {first} إلى {last}: لم يضف أي مقعد بذرة ولم تكن قيمة عامة منتظرة، فربما جرّب صانعها أوراقًا قبل أن يلتزم.",
    BEACON_KNOWN: "التوزيعات من {first} فصاعدًا التُزم بها والقيمة العامة معروفة أو قد تكون معروفة: هناك لا تُلزم إلا بذور المقاعد.",
    BEACON_UNTIMED: "لا تذكر الإعدادات متى قد تُعلن القيمة العامة: لم يتبيّن أن البذور جاءت قبلها.",
    BEACON_NOT_COMPARED: "لم تُقارن القيمة العامة بمصدرها المعلن: أنها قيمة «{name}» على ذمة الخادم.",
    LOSERS_UNSHOWN: "أن {losing} خسروا المباراة السابقة ولذلك يوزع أحدهم أولًا على ذمة الخادم: هذا السجل وحده لا يبيّنه.",
    NO_PINS: "لم تُقارن قيمة سلسلة سجّلها لاعب: سجلٌّ كُتب كله من جديد لا يُلاحظ.",
    PINS_BEYOND: "{count} من قيم السلسلة سُجّلت بعد نهاية هذا الملف، ولم تُقارن.",
    NO_OWN_SEED: "لا يُعرف أن بذرة أرسلها لاعب دخلت في هذه التوزيعات: أصحاب البذور على ذمة الخادم.",
    OWN_SEED_UNPINNED: "التوزيعات {first} إلى {last}: لم تُقارن قيمة سلسلة من القيود {since} إلى {until}، فلا شيء يبيّن أنه التُزم بها قبل أن يرسل {seat} بذرة لها.",
    OWN_SEED_ELSEWHERE: "التوزيعات {first} إلى {last}: لم تدخل فيها أي من البذور المنسوبة إلى {seat}.",
    OWN_SEED_UNUSED: "البذرة التي أرسلها {seat} للتوزيعات {first} إلى {last} لا تُلزم شيئًا: لم تبدأ أي منها.",
    UNKNOWN_EVENTS: "{count} أحداث من إصدار أحدث من هذا المدقق، وقد تُجووزت.",
    RULES: "هل تتبع المزايدات والأوراق والنقاط القواعد؟ لا يُحكم في ذلك هنا.",
  },
};

const page = { language: navigator.language.startsWith("ar") ? "ar" : "en", text: null };
const byId = (id) => document.getElementById(id);

/** A sentence of the verdict in the language of the page. */
function sentenceOf(part, told) {
  if (page.language === "en") return told.sentence;
  const named = (value) => ARABIC_SEATS[value] ?? value;
  const spelled = (value) => (Array.isArray(value) ? value.map(named).join("، ") || PAGE_TEXTS.ar.none : named(value));
  const facts = Object.fromEntries(Object.entries(told).map(([name, value]) => [name, spelled(value)]));
  return BalootVerifier.filled(ARABIC[part][told.code], facts);
}

function element(name, text, ...children) {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}

/** What the verdict looks like; texts of the file are only ever text. */
function show(report) {
  const section = byId("verdict");
  const titles = page.language === "en" ? BalootVerifier.texts.TITLES : ARABIC.TITLES;
  section.className = report.verdict;
  section.hidden = false;
  section.replaceChildren(element("h2", titles[report.verdict]));
  if (report.code) {
    section.append(element("p", "", element("code", report.code), ` ${sentenceOf("REASONS", report)}`));
  }
  for (const [part, list] of [["FACTS", report.facts], ["GAPS", report.gaps]]) {
    const items = list.map((told) => element("li", sentenceOf(part, told)));
    const heading = PAGE_TEXTS[page.language][part.toLowerCase()];
    if (items.length) section.append(element("h3", heading), element("ul", "", ...items));
  }
}

/** What was typed, line by line. Throws RangeError with the sentence for the first line that cannot be read. */
function typedIn(id, read) {
  const lines = byId(id).value.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    try {
      return read(line);
    } catch {
      throw new RangeError(PAGE_TEXTS[page.language].mistyped.replace("{line}", () => line));
    }
  });
}

function check() {
  if (page.text === null) return;
  try {
    const [pins, seeds] = [typedIn("pins", BalootVerifier.pinOf), typedIn("seeds", BalootVerifier.seedOf)];
    const [beacon = ""] = typedIn("beacon", BalootVerifier.beaconOf);
    show(BalootVerifier.verify(parsed(page.text), pins, seeds, beacon));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const section = byId("verdict");
    section.hidden = false;
    section.className = "unreadable";
    section.replaceChildren(element("p", error.message));
  }
}

async function take(file) {
  if (!file) return;
  page.text = await file.text();
  check();
  byId("verdict").focus();
}

function speak(language) {
  page.language = language;
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
  document.title = PAGE_TEXTS[language].heading;
  for (const said of document.querySelectorAll("[data-text]")) {
    said.textContent = PAGE_TEXTS[language][said.dataset.text];
  }
  const other = language === "ar" ? "en" : "ar";
  byId("language").textContent = PAGE_TEXTS[language].other;
  byId("language").lang = other;
  check();
}

function begin() {
  const drop = byId("drop");
  byId("file").addEventListener("change", (event) => take(event.target.files[0]));
  byId("again").addEventListener("click", check);
  byId("language").addEventListener("click", () => speak(page.language === "ar" ? "en" : "ar"));
  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragenter" || name === "dragover");
      if (name === "drop") take(event.dataTransfer.files[0]);
    });
  }
  speak(page.language);
}

begin();
