<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolutions version="1.2">
 <CPLEXSolution version="1.2">
  <header
    problemName="tiny.mps"
    solutionName="incumbent"
    solutionIndex="-1"
    objectiveValue="0"
    solutionTypeValue="3"
    solutionTypeString="primal"
    solutionStatusValue="101"
    solutionStatusString="integer optimal solution"
    solutionMethodString="mip"
    primalFeasible="1"
    dualFeasible="1"
    MIPNodes="0"
    MIPIterations="0"
    writeLevel="1"/>
  <quality
    epInt="1.0000000000000001e-05"
    epRHS="9.9999999999999995e-07"
    maxIntInfeas="0"
    maxPrimalInfeas="0"
    maxX="1"
    maxSlack="0"/>
  <linearConstraints>
   <constraint name="c_00" index="0" slack="0"/>
   <constraint name="c_01" index="1" slack="0"/>
   <constraint name="c_10" index="2" slack="0"/>
   <constraint name="p_dom" index="3" slack="0"/>
   <constraint name="p_squ" index="4" slack="0"/>
  </linearConstraints>
  <variables>
   <variable name="dom_a00" index="0" value="1"/>
   <variable name="dom_b00" index="1" value="0"/>
   <variable name="squ_a00" index="2" value="0"/>
   <variable name="squ_a01" index="3" value="0"/>
   <variable name="squ_a10" index="4" value="1"/>
  </variables>
 </CPLEXSolution>
 <CPLEXSolution version="1.2">
  <header
    problemName="tiny.mps"
    solutionName="p3"
    solutionIndex="0"
    objectiveValue="0"
    solutionTypeValue="3"
    solutionTypeString="primal"
    solutionStatusValue="127"
    solutionStatusString="integer feasible solution"
    solutionMethodString="mip"
    primalFeasible="0"
    dualFeasible="0"
    writeLevel="1"/>
  <quality
    epInt="1.0000000000000001e-05"
    epRHS="9.9999999999999995e-07"
    maxIntInfeas="0"
    maxPrimalInfeas="0"
    maxX="1"
    maxSlack="0"/>
  <linearConstraints>
   <constraint name="c_00" index="0" slack="0"/>
   <constraint name="c_01" index="1" slack="0"/>
   <constraint name="c_10" index="2" slack="0"/>
   <constraint name="p_dom" index="3" slack="0"/>
   <constraint name="p_squ" index="4" slack="0"/>
  </linearConstraints>
  <variables>
   <variable name="dom_a00" index="0" value="1"/>
   <variable name="dom_b00" index="1" value="0"/>
   <variable name="squ_a00" index="2" value="0"/>
   <variable name="squ_a01" index="3" value="0"/>
   <variable name="squ_a10" index="4" value="1"/>
  </variables>
 </CPLEXSolution>
 <CPLEXSolution version="1.2">
  <header
    problemName="tiny.mps"
    solutionName="p2"
    solutionIndex="1"
    objectiveValue="0"
    solutionTypeValue="3"
    solutionTypeString="primal"
    solutionStatusValue="127"
    solutionStatusString="integer feasible solution"
    solutionMethodString="mip"
    primalFeasible="0"
    dualFeasible="0"
    writeLevel="1"/>
  <quality
    epInt="1.0000000000000001e-05"
    epRHS="9.9999999999999995e-07"
    maxIntInfeas="0"
    maxPrimalInfeas="0"
    maxX="1"
    maxSlack="0"/>
  <linearConstraints>
   <constraint name="c_00" index="0" slack="0"/>
   <constraint name="c_01" index="1" slack="0"/>
   <constraint name="c_10" index="2" slack="0"/>
   <constraint name="p_dom" index="3" slack="0"/>
   <constraint name="p_squ" index="4" slack="0"/>
  </linearConstraints>
  <variables>
   <variable name="dom_a00" index="0" value="0"/>
   <variable name="dom_b00" index="1" value="1"/>
   <variable name="squ_a00" index="2" value="0"/>
   <variable name="squ_a01" index="3" value="1"/>
   <variable name="squ_a10" index="4" value="0"/>
  </variables>
 </CPLEXSolution>
</CPLEXSolutions>
