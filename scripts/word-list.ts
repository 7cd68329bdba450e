/** A phrase that no text for people should have, and what to write in its place. */
export interface WordRule {
  pattern: RegExp;
  instead: string;
}

const rule = (pattern: RegExp, instead: string): WordRule => ({ pattern, instead });

/** American technical usage: the words of GitHub, Stripe and Linear. Each pattern is precise rather than complete. */
export const WORD_RULES: readonly WordRule[] = [
  rule(/\bmend(?:s|ed|ing)?\b/i, "fix"),
  rule(/\banew\b/i, "again, or: restart"),
  rule(/\bwho(?:so)?ever\b/i, "name the actor"),
  rule(/\b(?:somebody|anybody)\b/i, "someone, or: name the actor"),
  rule(/\bnobody\b/i, "no one, or: none"),
  rule(/\b(?:is|are|was|were|be|been|being) told\b/i, "gets, sees, or: is notified"),
  rule(/\btells? (?:you )?of\b/i, "reports"),
  rule(/\b(?:be|is|are|was|were) heard\b/i, "is received"),
  rule(/\b(?:take|takes|taken|took|taking) up\b/i, "continue, resume or start"),
  rule(/\b(?:hand|hands|handed|handing) (?:it |them |this |that )?in\b/i, "submit"),
  rule(/\b(?:hand|hands|handed|handing) (?:it |them |this |that )?up\b/i, "escalate"),
  rule(/\b(?:hand|hands|handed|handing) (?:it |them |this |that |work )?out\b/i, "delegate or assign"),
  rule(/\b(?:stands?|stood|standing) still\b/i, "is paused, or: is waiting"),
  rule(/\b(?:stands?|stood) (?:in|for|at|on|there|here|below|above|beside)\b/i, "is"),
  rule(/\b(?:lies|lay|lie|lying) (?:in|at|on|outside|within|there|below|above|under|beyond)\b/i, "is in"),
  rule(/\b(?:where|as) (?:it|things?|they) (?:lies?|stands?)\b/i, "location, or: as it is"),
  rule(/\b(?:goes|go|went|going) on\b/i, "continue"),
  rule(/\bof (?:its|their|his|one's) own accord\b/i, "automatically"),
  rule(/\bby (?:itself|themselves)\b/i, "automatically"),
  rule(/\bby (?:hand|another hand)\b/i, "manually, in the file, or: outside Guildhall"),
  rule(/\b(?:is|are) like that\b/i, "match these filters"),
  rule(/\bwhat (?:is|was) to be\b/i, "name it: the task, the changes"),
  rule(/\bas (?:the|its|a) (?:role|project|system|assignment)(?: or the project)? has it\b/i, "inherit from role"),
  rule(/\b(?:daemon|server|provider|hall|program) (?:is|was) away\b/i, "can't reach …"),
  rule(/\b(?:checks?|all|it|everything) (?:is|are) well\b/i, "passed"),
  rule(/\bfor the (?:\d+|\S*\})\. time\b/i, "2nd attempt"),
  rule(/\bput(?:s|ting)? (?:it |them |what is named )?away\b/i, "stash, or: archive"),
  rule(/\b(?:take|takes|taken|took|taking) (?:it |them |this |that )?back\b/i, "revert"),
  rule(/\b(?:send|sends|sent|sending) (?:it |them |this |that )?back\b/i, "request changes"),
  rule(/\b(?:look|looks|looked|looking) again\b/i, "refresh, or: check again"),
  rule(/\blook(?:s|ed|ing)? back\b/i, "reflect, or: review"),
  rule(/\ball of it\b/i, "all, or: completed"),
  rule(/\b(?:bot|agent|agents|project|projects|hall|it) rests?\b/i, "is idle, or: is paused"),
  rule(/\bsee to\b/i, "check, or: fix"),
  rule(/\bsees to (?:it|that|its)\b/i, "makes sure"),
  rule(/\b(?:is|are|was|were) not (?:there|said)\b/i, "missing, or: not set"),
  rule(/\b(?:is|are|was|were) (?:no longer|still) there\b/i, "exists"),
  rule(/\b(?:that|who|which|what) (?:is|are|was|were) there\b/i, "existing"),
  rule(/\b(?:ask|asks|asked|asking) it for a word\b/i, "test the connection"),
  rule(/\b(?:does|do|did|will|would) not count\b|\bcounts? (?:at once|after|again|no longer|as)\b/i, "take effect"),
  rule(/\b(?:under|at) way\b/i, "in progress"),
  rule(/\b(?:goes|go|went|going) round in circles\b/i, "repeated the same call"),
  rule(/\bclose a circle\b/i, "circular dependency"),
  rule(/\bat work\b/i, "running"),
  rule(/\b(?:for|with|without) a word\b/i, "name it: an answer, a message"),
  rule(/\bthe hall\b/i, "Guildhall, or: the workspace"),
  rule(/\bunless said otherwise\b/i, "by default"),
  rule(/\bat rest\b/i, "idle"),
  rule(/\bmuch the same\b|\bthe same once more\b/i, "identical"),
  rule(/\bonce more\b/i, "again"),
  rule(/\b(?:is|are|was|were) (?:none|nothing) of\b/i, "say what it is"),
  rule(/\bthrow(?:s|n)? (?:it |them )?away\b|\bthrew (?:it )?away\b/i, "discard"),
  rule(/\btaken down\b/i, "saved"),
  rule(/\bwritten as it must be\b/i, "valid"),
];

/** Folders and files that still have findings. Take one out when `node scripts/word-rules.ts --list FOLDER` is empty. */
export const WORD_EXEMPT: readonly string[] = [];
