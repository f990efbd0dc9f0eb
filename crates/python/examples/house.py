"""When each part of a house can begin: longest paths between tasks by the max-plus star, and the same as a project."""

import manycore as mc
import numpy as np

durations = {"ground": 4, "walls": 10, "roof": 6, "pipes": 5, "wires": 7, "paint": 9, "floors": 4}
after = [("ground", "walls"), ("walls", "roof"), ("walls", "pipes"), ("roof", "wires"), ("pipes", "paint")]
after += [("wires", "paint"), ("wires", "floors"), ("paint", "floors")]

names = list(durations)
graph = np.full((len(names), len(names)), -np.inf)
for before, task in after:
    graph[names.index(before), names.index(task)] = durations[before]
begins = np.maximum.reduce(mc.all_pairs(graph))  # the longest of all paths to a task
print({name: int(begin) for name, begin in zip(names, begins)})

schedule = mc.Project(durations, after).schedule()
assert list(schedule.earliest.values()) == begins.astype(int).tolist()
print("days:", schedule.length, "critical:", " > ".join(schedule.critical_path))
print("days that pipes may wait:", schedule.total_slack["pipes"])
